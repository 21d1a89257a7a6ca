import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { until } from '../until.ts'
import type { Driver } from './driver.ts'
import { type Found, findExpression, type Query, type Words } from './find-in-page.ts'

const PATIENCE_MS = 30_000
const AT_REST_MS = 3_000

/** What people look for: by role and name, or by text. Strings are parts of it, in either case. */
export type Wanted = { role?: string; name?: string | RegExp; text?: string | RegExp; within?: Wanted; frame?: string }
export type Page = ReturnType<typeof pageOf>

/** What a person does and sees, written once for all browsers. Each waits until it can be done. */
export function pageOf(driver: Driver, shop: string, pictures: string) {
  let taken = 0
  const look = async (wanted: Wanted) => driver.evaluate<Found>(await findExpression(toQuery(wanted)))
  /** While a page gives way to the next, nothing can be asked of it. */
  const lookQuietly = (wanted: Wanted) => look(wanted).catch(() => null)

  /** Where something is, once it is there, at rest, enabled and not covered. */
  async function whereToPress(wanted: Wanted) {
    let last: Found | null = null
    const isReady = async () => {
      const before = last?.at
      last = await lookQuietly(wanted)
      if (!last?.at || last.isDisabled || last.coveredBy !== null) return null
      return before?.x === last.at.x && before.y === last.at.y ? last.at : null
    }
    return until(isReady, PATIENCE_MS, `${say(wanted)} to be pressed`).catch((error) => {
      throw new Error(`${error.message}; found ${JSON.stringify(last)}`)
    })
  }

  return {
    driver,

    /** Loads a page of the shop by its address. */
    async open(path: string) {
      await driver.goto(shop + path)
      await until(() => driver.evaluate<boolean>(`document.readyState === 'complete'`).catch(() => false), PATIENCE_MS, `${path} to load`)
    },

    async press(wanted: Wanted) {
      await driver.press(await whereToPress(wanted))
    },

    /** Types into a field in place of what it holds. */
    async fill(name: string | RegExp, text: string, within?: Wanted) {
      const field = { role: 'field', name, ...(within && { within }) }
      await driver.press(await whereToPress(field))
      await driver.evaluate(`document.activeElement.select && document.activeElement.select()`)
      await driver.type(text)
      const letters = (value: string) => value.replace(/\s/g, '')
      await until(async () => letters((await look(field)).value) === letters(text), PATIENCE_MS, `${say(field)} to hold ${text}`)
    },

    async sees(wanted: Wanted, patienceMs = PATIENCE_MS): Promise<Found> {
      return until(
        async () => {
          const found = await lookQuietly(wanted)
          return found && found.count > 0 && found
        },
        patienceMs,
        `${say(wanted)} to be seen`,
      )
    },

    /** Waits until one of several is there, and says which. */
    async seesOneOf<const T extends Record<string, Wanted>>(choices: T): Promise<keyof T> {
      const isThere = async () => {
        for (const [name, wanted] of Object.entries(choices)) if ((await lookQuietly(wanted))?.count) return name
        return null
      }
      return until(isThere, PATIENCE_MS, Object.values(choices).map(say).join(' or '))
    },

    async seesNo(wanted: Wanted) {
      await until(async () => (await lookQuietly(wanted))?.count === 0, PATIENCE_MS, `${say(wanted)} to be gone`)
    },

    async isAt(path: string) {
      await until(
        async () => (await driver.evaluate<string>('location.pathname').catch(() => '')) === path,
        PATIENCE_MS,
        `the address ${path}`,
      )
    },

    /** Keeps a picture of the window once it is at rest, numbered in order. */
    async picture(name: string) {
      let last = await driver.picture()
      const isAtRest = async () => {
        const before = last
        last = await driver.picture()
        return last.equals(before)
      }
      // What never rests, such as what still loads, is kept as it is.
      await until(isAtRest, AT_REST_MS, 'the window to rest').catch(() => undefined)
      await mkdir(pictures, { recursive: true })
      taken += 1
      await writeFile(join(pictures, `${String(taken).padStart(2, '0')}-${name}.png`), last)
    },
  }
}

function toQuery({ name, text, within, ...rest }: Wanted): Query {
  return {
    ...rest,
    ...(name !== undefined && { name: toWords(name) }),
    ...(text !== undefined && { text: toWords(text) }),
    ...(within && { within: toQuery(within) }),
  }
}

const toWords = (words: string | RegExp): Words => (typeof words === 'string' ? words : { pattern: words.source })

function say({ role = 'text', name, text, within, frame }: Wanted): string {
  const place = within ? ` in ${say(within)}` : frame ? ` in the frame ${frame}` : ''
  return [role, name, text].filter((part) => part !== undefined).join(' ') + place
}
