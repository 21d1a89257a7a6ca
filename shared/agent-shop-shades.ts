import type { ShopColour } from './agent-shop-rules.ts'

/** Each with its band and its text in the light and in the dark theme; white is read on every band, dark ink on every dark button. */
export const SHOP_SHADES: Record<ShopColour, { band: string; soft: string; darkBand: string; darkText: string; darkSoft: string }> = {
  green: { band: '#0a5c3b', soft: '#e0efe5', darkBand: '#06402a', darkText: '#6fd6a2', darkSoft: '#16352a' },
  plum: { band: '#7a1f4b', soft: '#f8e6ee', darkBand: '#5b1738', darkText: '#f7a9ca', darkSoft: '#3d1829' },
  blue: { band: '#1d4e89', soft: '#e2ebf6', darkBand: '#123459', darkText: '#9cc3f5', darkSoft: '#15294a' },
  violet: { band: '#5b3a9b', soft: '#ece6f7', darkBand: '#3c2668', darkText: '#cbb5f7', darkSoft: '#2c1d4a' },
  rust: { band: '#9a3412', soft: '#fbe9e1', darkBand: '#66230c', darkText: '#f7b295', darkSoft: '#3d1c10' },
  teal: { band: '#116466', soft: '#dceff0', darkBand: '#0b4243', darkText: '#7fd5d7', darkSoft: '#103435' },
  charcoal: { band: '#3f3f46', soft: '#ebebed', darkBand: '#2b2b30', darkText: '#d4d4dc', darkSoft: '#34343a' },
  red: { band: '#8a1c1c', soft: '#f9e4e4', darkBand: '#5f1313', darkText: '#f7a9a4', darkSoft: '#431818' },
}
