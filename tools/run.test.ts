import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const ROOT = resolve(import.meta.dirname, '..')
/** What a Node 20 says of itself, and that it cannot hand its process over. */
const OLD = `data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'20.20.2'}});process.execve=undefined`
const BROUGHT = /node_modules[\\/]node-(?:linux|win)-\w+[\\/]bin[\\/]node/

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dwadi run '))
  await mkdir(join(folder, 'tools'))
  await cp(join(ROOT, 'tools/run.js'), join(folder, 'tools/run.js'))
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
})
afterAll(() => rm(folder, { recursive: true, force: true }))

function start(args: string[], { options = [] as string[], root = ROOT } = {}) {
  const child = spawn(process.execPath, [...options, join(root, 'tools/run.js'), ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  const result = Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]).then(([out, err, [code, signal]]) => ({
    out: out.trim(),
    err,
    code,
    signal,
  }))
  return { child, result }
}

describe.each([
  ['this Node', []],
  ['an old Node', ['--import', OLD]],
])('%s', (_name, options) => {
  test('hands options, arguments with spaces and the exit code on', async () => {
    const program = 'process.exitCode = 7; console.log(JSON.stringify([process.execArgv[0], ...process.argv.slice(1)]))'
    const { out, code } = await start(['--no-warnings', '-e', program, 'two words', '$HOME'], { options }).result
    expect(JSON.parse(out)).toEqual(['--no-warnings', 'two words', '$HOME'])
    expect(code).toBe(7)
  })

  test('runs TypeScript, and what that starts in turn finds the same Node', async () => {
    const program = `import { execFileSync } from 'node:child_process'
      const found: string = execFileSync('node', ['-p', 'process.execPath'], { encoding: 'utf8' })
      console.log(found.trim() === process.execPath, Number(process.versions.node.split('.')[0]) >= 24)`
    expect(await start(['--input-type=module-typescript', '-e', program], { options }).result).toMatchObject({ out: 'true true', code: 0 })
  })

  test('runs a program of the packages by its name', async () => {
    expect((await start(['biome', '--version'], { options }).result).out).toMatch(/^Version: \d/)
  })

  test('passes SIGTERM on, and ends as its program does', async () => {
    const polite = `process.on('SIGTERM', () => { console.log('bye'); process.exit(3) }); console.log('up'); setInterval(() => {}, 1000)`
    const { child, result } = start(['-e', polite], { options })
    await once(child.stdout, 'readable')
    child.kill('SIGTERM')
    expect(await result).toMatchObject({ out: 'up\nbye', code: 3 })
    const killed = await start(['-e', `process.kill(process.pid, 'SIGTERM'); setInterval(() => {}, 1000)`], { options }).result
    expect(killed).toMatchObject({ code: null, signal: 'SIGTERM' })
  })
})

test.runIf(process.platform === 'linux')('an old Node starts the one that came with the packages', async () => {
  expect((await start(['-p', 'process.execPath'], { options: ['--import', OLD] }).result).out).toMatch(BROUGHT)
})

test('an old Node alone says what to install, and from a folder with a space in its name too', async () => {
  const { out, err, code } = await start(['-p', '1'], { options: ['--import', OLD], root: folder }).result
  expect({ out, code }).toEqual({ out: '', code: 1 })
  expect(err).toMatch(/^The shop needs Node 24\.3 or newer; this is 20\.20\.2\. .*install Node 24 from nodejs\.org\.\n$/)
  expect((await start(['-p', '"space"'], { root: folder }).result).out).toBe('space')
})

test('every script of package.json that needs a Node goes through it', async () => {
  const { scripts } = (await import('../package.json', { with: { type: 'json' } })).default
  const commands = Object.entries<string>(scripts).flatMap(([name, script]) => script.split(' && ').map((command) => [name, command]))
  expect(commands.filter(([name, command]) => !command!.startsWith('node tools/run.js') && name !== 'sbom')).toEqual([])
})
