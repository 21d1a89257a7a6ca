import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { unpackedChromium } from '../browser.ts'
import { until } from '../until.ts'
import { type Driver, PHONE } from './driver.ts'
import { fetchChromium, type PackedChromium } from './fetch-chromium.ts'
import { startBrowser } from './start-browser.ts'
import { openWebSocketCalls } from './web-socket-calls.ts'

type RemoteObject = { value?: unknown; description?: string; type?: string }
type Exception = { exception?: RemoteObject; text: string; url?: string; lineNumber: number }
type Evaluated = { result: RemoteObject; exceptionDetails?: Exception }

/** Without a sandbox and in one process: these binaries were made for places that allow neither. */
const ARGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--single-process',
  '--no-zygote',
  '--disable-dev-shm-usage',
  '--hide-scrollbars',
  '--lang=en-GB',
  '--remote-debugging-port=0',
]

/** Starts an old Chromium as a phone's, and drives it by the DevTools protocol; Playwright needs newer ones. */
export async function openChromium(packed: PackedChromium): Promise<Driver> {
  const own = await fetchChromium(packed)
  const current = await unpackedChromium()
  const profile = await mkdtemp(join(tmpdir(), 'dwadi-profile-'))
  const { address: port, end } = await startBrowser({
    name: packed.spec,
    program: join(own, 'chromium'),
    args: [...ARGS, `--user-data-dir=${profile}`, 'about:blank'],
    env: {
      ...process.env,
      TZ: 'Africa/Accra',
      LD_LIBRARY_PATH: [join(own, 'lib'), join(current, 'al2023/lib')].join(':'),
      FONTCONFIG_FILE: join(current, 'fonts.conf'),
    },
    profile,
    listening: /listening on ws:\/\/[^:]+:(\d+)/,
  })
  const ask = async <T>(path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).json() as Promise<T>
  const page = await until(
    async () => (await ask<{ type: string; webSocketDebuggerUrl: string }[]>('/json')).find(({ type }) => type === 'page'),
    30_000,
    `${packed.spec} to have a page`,
  )
  const { Browser: version } = await ask<{ Browser: string }>('/json/version')

  let errors: string[] = []
  const { call, close } = await openWebSocketCalls(page.webSocketDebuggerUrl, (method, params) => {
    const error = errorIn(method, params)
    if (error) errors.push(error)
  })
  for (const domain of ['Page', 'Runtime', 'Log', 'Network']) await call(`${domain}.enable`)
  await call('Emulation.setDeviceMetricsOverride', { ...PHONE, deviceScaleFactor: 1, mobile: true })

  return {
    version: version.replace('HeadlessChrome/', 'Chromium '),

    async goto(address) {
      const { errorText } = await call<{ errorText?: string }>('Page.navigate', { url: address })
      if (errorText) throw new Error(`${errorText} at ${address}`)
    },

    async evaluate<T>(expression: string) {
      const { result, exceptionDetails } = await call<Evaluated>('Runtime.evaluate', { expression, returnByValue: true })
      if (exceptionDetails) throw new Error(textOf(exceptionDetails))
      return result.value as T
    },

    async press({ x, y }) {
      const touch = { x, y, button: 'left', clickCount: 1 }
      for (const type of ['mousePressed', 'mouseReleased']) await call('Input.dispatchMouseEvent', { ...touch, type })
    },

    async type(text) {
      for (const char of text) {
        const key = char === '\n' ? { key: 'Enter', text: '\r', windowsVirtualKeyCode: 13 } : { key: char, text: char }
        await call('Input.dispatchKeyEvent', { type: 'keyDown', ...key })
        await call('Input.dispatchKeyEvent', { type: 'keyUp', key: key.key })
      }
    },

    async picture() {
      const { data } = await call<{ data: string }>('Page.captureScreenshot', { format: 'png' })
      return Buffer.from(data, 'base64')
    },

    async setOffline(offline) {
      await call('Network.emulateNetworkConditions', { offline, latency: 0, downloadThroughput: -1, uploadThroughput: -1 })
    },

    async takeErrors() {
      const taken = errors
      errors = []
      return taken
    },

    async close() {
      close()
      await end()
    },
  }
}

function errorIn(method: string, params: unknown): string | null {
  if (method === 'Runtime.exceptionThrown') return `uncaught: ${textOf((params as { exceptionDetails: Exception }).exceptionDetails)}`
  if (method === 'Runtime.consoleAPICalled') {
    const { type, args } = params as { type: string; args: RemoteObject[] }
    return type === 'error' ? `console: ${args.map(({ value, description }) => value ?? description).join(' ')}` : null
  }
  if (method === 'Log.entryAdded') {
    const { level, text, url } = (params as { entry: { level: string; text: string; url?: string } }).entry
    return level === 'error' ? `${text} (${url ?? 'no address'})` : null
  }
  return null
}

function textOf({ exception, text, url, lineNumber }: Exception) {
  return `${exception?.description ?? exception?.value ?? text} (${url ?? 'no address'}:${lineNumber})`
}
