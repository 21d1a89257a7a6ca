import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from '../until.ts'
import { type Driver, PHONE } from './driver.ts'
import { ensureInstalled } from './ensure-installed.ts'
import { startBrowser } from './start-browser.ts'
import { openWebSocketCalls } from './web-socket-calls.ts'

const BROWSER = '/usr/bin/firefox-esr'
const ENTER = '\uE006'

/** A profile that asks for nothing from outside and shows no page of its own. */
const PREFERENCES = {
  'app.update.enabled': false,
  'browser.shell.checkDefaultBrowser': false,
  'browser.startup.page': 0,
  'datareporting.policy.dataSubmissionEnabled': false,
  'extensions.update.enabled': false,
  'intl.accept_languages': 'en-GB',
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'services.settings.server': 'data:,#remote-settings-dummy/v1',
  'toolkit.telemetry.enabled': false,
}

type Result = { type: 'success'; result: { value?: string } } | { type: 'exception'; exceptionDetails: { text: string } }

/** Starts Debian's Firefox without a window, and drives it by WebDriver BiDi. */
export async function openFirefox(): Promise<Driver> {
  await ensureInstalled({ 'firefox-esr': BROWSER })
  const profile = await mkdtemp(join(tmpdir(), 'dwadi-firefox-'))
  const lines = Object.entries(PREFERENCES).map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`)
  await writeFile(join(profile, 'user.js'), lines.join(''))
  const args = ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', '0', '--remote-allow-system-access']
  const { address, end } = await startBrowser({
    name: 'Firefox',
    program: BROWSER,
    args: [...args, 'about:blank'],
    // Its own home, so that it leaves nothing in that of who runs it.
    env: { ...process.env, HOME: profile, TZ: 'Africa/Accra', MOZ_CRASHREPORTER_DISABLE: '1' },
    profile,
    listening: /WebDriver BiDi listening on (ws:\/\/\S+)/,
  })

  let errors: string[] = []
  const { call, close } = await openWebSocketCalls(`${address}/session`, (method, params) => {
    const error = errorIn(method, params)
    if (error) errors.push(error)
  })
  const { capabilities } = await call<{ capabilities: { browserVersion: string } }>('session.new', { capabilities: {} })
  const treeOf = async (scope: object) => (await call<{ contexts: { context: string }[] }>('browsingContext.getTree', scope)).contexts[0]
  const context = await until(async () => (await treeOf({}))?.context, 30_000, 'Firefox to have a page')
  await call('session.subscribe', { events: ['log.entryAdded', 'network.responseCompleted'] })
  // What the content security policy refuses is told to the console of the developer alone.
  await call('script.addPreloadScript', { functionDeclaration: `${tellRefusals}` })
  await call('browsingContext.setViewport', { context, viewport: PHONE, devicePixelRatio: 1 })

  const act = (id: string, type: object, actions: object[]) =>
    call('input.performActions', { context, actions: [{ id, ...type, actions }] })

  return {
    version: `Firefox ${capabilities.browserVersion}`,

    async goto(url) {
      await call('browsingContext.navigate', { context, url, wait: 'interactive' })
    },

    async evaluate<T>(expression: string) {
      const target = { context }
      const reply = await call<Result>('script.evaluate', { expression: `JSON.stringify(${expression})`, target, awaitPromise: false })
      if (reply.type === 'exception') throw new Error(reply.exceptionDetails.text)
      return (reply.result.value === undefined ? undefined : JSON.parse(reply.result.value)) as T
    },

    async press({ x, y }) {
      await act('mouse', { type: 'pointer', parameters: { pointerType: 'mouse' } }, [
        { type: 'pointerMove', x: Math.round(x), y: Math.round(y) },
        { type: 'pointerDown', button: 0 },
        { type: 'pointerUp', button: 0 },
      ])
    },

    async type(text) {
      const keys = [...text].map((char) => (char === '\n' ? ENTER : char))
      await act(
        'keyboard',
        { type: 'key' },
        keys.flatMap((value) => ['keyDown', 'keyUp'].map((type) => ({ type, value }))),
      )
    },

    async picture() {
      const { data } = await call<{ data: string }>('browsingContext.captureScreenshot', { context })
      return Buffer.from(data, 'base64')
    },

    /** Works offline, as its menu has it: pages see that they have no connection. Its own machine it reaches all the same. */
    async setOffline(offline) {
      const chrome = await treeOf({ 'moz:scope': 'chrome' })
      await call('script.evaluate', { expression: `Services.io.offline = ${offline}`, target: chrome, awaitPromise: false })
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

/** Runs in every page before its own scripts. */
function tellRefusals() {
  document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
    console.error(`refused by the content security policy: ${violatedDirective} ${blockedURI}`)
  })
}

function errorIn(method: string, params: unknown): string | null {
  if (method === 'log.entryAdded') {
    const { level, text, type } = params as { level: string; text: string | null; type: string }
    return level === 'error' ? `${type}: ${text}` : null
  }
  if (method === 'network.responseCompleted') {
    const { response } = params as { response: { status: number; url: string } }
    return response.status >= 400 ? `status ${response.status} (${response.url})` : null
  }
  return null
}
