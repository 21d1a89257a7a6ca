// `node tools/run.js [options of Node] FILE [arguments]`, or with the name of a program from node_modules/.bin for FILE:
// runs it with a Node that can run the shop, whichever Node is in the PATH. Plain JavaScript, since that one may be too old for
// TypeScript. The binary is looked up by its package, because npm 10 leaves node_modules/.bin/node out.
import { spawn } from 'node:child_process'
import { accessSync, constants, realpathSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** From this version on Node runs TypeScript without a warning, and every package of the shop runs on it. */
const OLDEST = [24, 3]
const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..')
const PROGRAMS = join(ROOT, 'node_modules/.bin')
const IS_WINDOWS = process.platform === 'win32'
const PACKAGE = `node-${IS_WINDOWS ? 'win' : process.platform}-${process.arch}`
const BROUGHT_NODE = join(ROOT, 'node_modules', PACKAGE, 'bin', IS_WINDOWS ? 'node.exe' : 'node')

const node = isNewEnough(process.versions.node) ? process.execPath : findBroughtNode()
if (node) run(node, process.argv.slice(2))
else refuse(`No other one came with the packages (node_modules/${PACKAGE}).`)

function isNewEnough(version) {
  const [major, minor] = version.split('.').map(Number)
  return major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])
}

function findBroughtNode() {
  try {
    accessSync(BROUGHT_NODE, constants.X_OK)
    return BROUGHT_NODE
  } catch {
    return undefined
  }
}

function refuse(reason) {
  console.error(
    `The shop needs Node ${OLDEST.join('.')} or newer; this is ${process.versions.node}. ${reason} ` +
      'Run "npm ci" once more without leaving out optional packages, or install Node 24 from nodejs.org.',
  )
  process.exitCode = 1
}

/** What it starts in turn finds the same Node first in the PATH. */
function run(node, args) {
  const env = { ...process.env, PATH: [dirname(node), PROGRAMS, process.env.PATH].join(delimiter) }
  const isProgram = /^[a-z][a-z-]*$/.test(args[0] ?? '')
  // Programs on Windows are command files, which need a shell.
  if (IS_WINDOWS) return runBeside(isProgram ? args[0] : node, isProgram ? args.slice(1) : args, { env, shell: isProgram })
  const command = isProgram ? [realpathSync(join(PROGRAMS, args[0])), ...args.slice(1)] : args
  // In place of this process where Node can do that, so that no second one waits beside the shop.
  if (process.execve) process.execve(node, [node, ...command], env)
  else runBeside(node, command, { env })
}

function runBeside(program, args, options) {
  const child = spawn(program, args, { stdio: 'inherit', ...options })
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
  for (const signal of signals) {
    process.on(signal, () => {
      // Ctrl-C reaches the child by itself, since they share the terminal.
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal)
    })
  }
  child.on('error', ({ message }) => refuse(`The one that came with the packages does not start here: ${message}.`))
  child.on('exit', (code, signal) => {
    for (const name of signals) process.removeAllListeners(name)
    if (signal) process.kill(process.pid, signal)
    else process.exitCode = code ?? 1
  })
}
