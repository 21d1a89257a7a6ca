import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from '../until.ts'
import { type Driver, PHONE } from './driver.ts'
import { ensureInstalled } from './ensure-installed.ts'

const DRIVER = '/usr/bin/WebKitWebDriver'
const SCREEN = '/usr/bin/Xvfb'
/** Comes with the library; the smallest browser around it. */
const BROWSER = '/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser'
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf'

/** Starts GNOME's WebKit on a screen that nobody sees, and drives it by WebDriver. Its toolbar makes the window wider than a phone's. */
export async function openWebKit(): Promise<Driver> {
  await ensureInstalled({ 'webkit2gtk-driver': DRIVER, xvfb: SCREEN })
  const home = await mkdtemp(join(tmpdir(), 'dwadi-webkit-'))
  const screen = spawn(SCREEN, ['-displayfd', '3', '-screen', '0', '800x1000x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  })
  const [number] = await once(screen.stdio[3] as NodeJS.ReadableStream, 'data')
  const port = await findFreePort()
  const child = spawn(DRIVER, [`--port=${port}`], {
    env: {
      ...process.env,
      DISPLAY: `:${String(number).trim()}`,
      GDK_BACKEND: 'x11',
      TZ: 'Africa/Accra',
      HOME: home,
      XDG_RUNTIME_DIR: home,
      NO_AT_BRIDGE: '1',
    },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let printed = ''
  child.stdout.setEncoding('utf8').on('data', (text) => {
    printed += text
  })

  const send = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const reply = await fetch(`http://127.0.0.1:${port}${path}`, { method, ...(body && { body: JSON.stringify(body) }) })
    const { value } = (await reply.json()) as { value: T & { error?: string; message?: string } }
    if (!reply.ok) throw new Error(`${value.error}: ${value.message}`)
    return value
  }
  await until(() => send('GET', '/status').catch(() => null), 30_000, `${DRIVER} to answer`)
  const { sessionId, capabilities } = await send<{ sessionId: string; capabilities: { browserVersion: string } }>('POST', '/session', {
    capabilities: {
      alwaysMatch: {
        'webkitgtk:browserOptions': { binary: BROWSER, args: ['--automation', '--enable-write-console-messages-to-stdout=true'] },
      },
    },
  })
  const call = <T>(method: string, path: string, body?: object) => send<T>(method, `/session/${sessionId}${path}`, body)
  await call('POST', '/window/rect', PHONE)

  return {
    version: `WebKitGTK ${capabilities.browserVersion}`,
    goto: (url) => call('POST', '/url', { url }),
    async evaluate<T>(expression: string) {
      const value = await call<string | null>('POST', '/execute/sync', { script: `return JSON.stringify(${expression})`, args: [] })
      return (value === null ? undefined : JSON.parse(value)) as T
    },
    async press({ x, y }) {
      const actions = [
        { type: 'pointerMove', duration: 0, origin: 'viewport', x: Math.round(x), y: Math.round(y) },
        { type: 'pointerDown', button: 0 },
        { type: 'pointerUp', button: 0 },
      ]
      await call('POST', '/actions', { actions: [{ type: 'pointer', id: 'mouse', parameters: { pointerType: 'mouse' }, actions }] })
    },
    async type(text) {
      const { [ELEMENT]: field } = await call<{ [ELEMENT]: string }>('GET', '/element/active')
      await call('POST', `/element/${field}/value`, { text })
    },
    picture: async () => Buffer.from(await call<string>('GET', '/screenshot'), 'base64'),
    // It can't be told; the line that is cut is all there is.
    setOffline: async () => undefined,
    async takeErrors() {
      const lines = printed.split('\n').filter((line) => /^(?:\S+ )?CONSOLE \S+ ERROR/.test(line))
      printed = ''
      return lines
    },
    async close() {
      await call('DELETE', '').catch(() => undefined)
      for (const one of [child, screen]) {
        one.kill()
        await until(() => one.exitCode !== null || one.signalCode !== null)
      }
      await rm(home, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
