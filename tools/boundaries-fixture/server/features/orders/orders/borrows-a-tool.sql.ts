// breaks: no-tooling
import { hash } from '../../../../tools/hash.ts'
export const hashed = hash
