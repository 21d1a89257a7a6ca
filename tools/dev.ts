import { spawn } from 'node:child_process'
import { resolve } from 'node:path'

const ROOT = resolve(import.meta.dirname, '..')
const SHOP_SERVER = `http://127.0.0.1:${process.env.PORT ?? 3000}`
const VITE = resolve(ROOT, 'node_modules/vite/bin/vite.js')

const children = [run('--watch', 'server/main.ts'), run(VITE)]

for (const child of children) child.once('exit', (code) => stop(code ?? 1))
// Ctrl-C reaches the children by itself, since they share the terminal; a plain kill of this process does not.
process.once('SIGINT', () => stop(0))
process.once('SIGTERM', () => stop(0))

function run(...args: string[]) {
  return spawn(process.execPath, args, { cwd: ROOT, env: { SHOP_SERVER, ...process.env }, stdio: 'inherit' })
}

function stop(exitCode: number) {
  process.exitCode ??= exitCode
  for (const child of children) child.kill('SIGTERM')
}
