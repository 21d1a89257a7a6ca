// breaks: web-not-to-node
import { join } from 'node:path'
export const knowsNode = join
