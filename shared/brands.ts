/** What a brand colour is made of, in one theme. */
type Shades = {
  brand: string
  'brand-hover': string
  'on-brand': string
  'brand-text': string
  'brand-soft': string
  field: string
  'field-muted': string
  'field-line': string
}
type Brand = { light: Shades; dark: Shades }

function shades(list: string): Shades {
  const [brand, hover, on, text, soft, field, muted, line] = list.split(' ') as [
    string,
    string,
    string,
    string,
    string,
    string,
    string,
    string,
  ]
  return {
    brand,
    'brand-hover': hover,
    'on-brand': on,
    'brand-text': text,
    'brand-soft': soft,
    field,
    'field-muted': muted,
    'field-line': line,
  }
}

/** The colours that a shop may choose. A few that can be read in both themes, which a test proves, rather than any. */
export const BRANDS = {
  green: {
    light: shades('#0a5c3b #07472d #ffffff #0a5c3b #e0efe5 #06402a #b5d2c1 #2a6a4e'),
    dark: shades('#3dbb7f #62cf9b #04150c #6fd6a2 #16352a #08281b #a5c4b2 #235c43'),
  },
  blue: {
    light: shades('#174ea6 #103a7d #ffffff #174ea6 #e1eafa #0d2f66 #b9cdf0 #33568f'),
    dark: shades('#7aa7f5 #9dbff9 #04101f #9cc0fb #15294a #0b1f42 #aac0e6 #2a4677'),
  },
  purple: {
    light: shades('#5b2a9d #451f79 #ffffff #5b2a9d #ece4f8 #341660 #d0bdec #5d3f8c'),
    dark: shades('#b594ef #c9b0f5 #14082a #cdb5f7 #2c1d4a #21103f #c3b1e2 #49327a'),
  },
  wine: {
    light: shades('#8a1f3d #6c1730 #ffffff #8a1f3d #f8e3e8 #4f0f22 #ecbecb #803a4f'),
    dark: shades('#ef8fa8 #f5abbe #25050f #f7a9bd #43182a #340a17 #e0b0bd #6c2c3f'),
  },
  teal: {
    light: shades('#0b5866 #08434e #ffffff #0b5866 #dceff2 #063a44 #b2d5dc #2b6570'),
    dark: shades('#4fbccd #79cedb #03171b #83d5e2 #10343b #07272e #a3c8cf #235660'),
  },
  ink: {
    light: shades('#2c332e #1b201d #ffffff #2c332e #e8e8e0 #1d2420 #c5ccc6 #4a544d'),
    dark: shades('#c9d2ca #dde3de #0c110e #d8dfd9 #2c362f #141a16 #b5beb7 #3f4a42'),
  },
} as const satisfies Record<string, Brand>

export type BrandName = keyof typeof BRANDS
export const BRAND_NAMES = Object.keys(BRANDS) as [BrandName, ...BrandName[]]
/** As the style sheet has it, so that it needs nothing more. */
export const USUAL_BRAND: BrandName = 'green'

/** The rules that replace the style sheet's own colours; empty for the usual brand. */
export function brandStyle(name: BrandName): string {
  if (name === USUAL_BRAND) return ''
  const { light, dark } = BRANDS[name]
  const set = (colours: Shades) =>
    Object.entries(colours)
      .map(([token, colour]) => `--${token}:${colour}`)
      .join(';')
  return (
    `:root{--sign:${light.brand}}:root,[data-theme=light],.field .ticket,.field .toast-in{${set(light)}}` +
    `@media (prefers-color-scheme:dark){:root:not([data-theme=light]){${set(dark)}}}[data-theme=dark]{${set(dark)}}`
  )
}
