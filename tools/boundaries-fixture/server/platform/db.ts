import { createHash } from 'node:crypto'
import pg from 'pg'
export const connect = () => [createHash, pg]
