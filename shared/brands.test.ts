import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { BRANDS, brandStyle, USUAL_BRAND } from './brands.ts'

/** The style sheet's own colours that brand colours meet, by theme. */
const theme = readFileSync(new URL('../web/ui/theme.css', import.meta.url), 'utf8')
const [light = '', dark = ''] = [
  theme.split('@media (prefers-color-scheme: dark)')[0],
  theme.split('@media (prefers-color-scheme: dark)')[1],
]
const SHEETS = { light, dark }

function tokenOf(name: string, mode: 'light' | 'dark'): string {
  const found =
    new RegExp(`--${name}: (#[0-9a-f]{6});`).exec(SHEETS[mode])?.[1] ?? new RegExp(`--${name}: (#[0-9a-f]{6});`).exec(light)?.[1]
  if (!found) throw new Error(`no --${name}`)
  return found
}

/** WCAG 2.2, relative luminance and contrast. */
function contrast(one: string, other: string): number {
  const luminance = (colour: string) => {
    const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
      const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  const [high = 0, low = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return (high + 0.05) / (low + 0.05)
}

const CASES = Object.entries(BRANDS).flatMap(([name, brand]) =>
  (['light', 'dark'] as const).map((mode) => [name, mode, brand[mode]] as const),
)

test.each(CASES)('%s can be read in the %s theme', (_name, mode, colours) => {
  const pairs: [string, string][] = [
    [colours['on-brand'], colours.brand],
    [colours['on-brand'], colours['brand-hover']],
    ...['paper', 'surface', 'sunken'].map((ground): [string, string] => [colours['brand-text'], tokenOf(ground, mode)]),
    [colours['brand-text'], colours['brand-soft']],
    [tokenOf('ink', mode), colours['brand-soft']],
    [tokenOf('on-field', mode), colours.field],
    [tokenOf('on-field', mode), colours['field-line']],
    [colours['field-muted'], colours.field],
  ]
  expect(pairs.filter(([text, ground]) => contrast(text, ground) < 4.5)).toEqual([])
})

test('the usual brand is the style sheet’s own and adds nothing to a page', () => {
  for (const mode of ['light', 'dark'] as const) {
    for (const [name, colour] of Object.entries(BRANDS[USUAL_BRAND][mode])) expect([name, tokenOf(name, mode)]).toEqual([name, colour])
  }
  expect(brandStyle(USUAL_BRAND)).toBe('')
  expect(brandStyle('blue')).toContain('--brand:#174ea6')
})
