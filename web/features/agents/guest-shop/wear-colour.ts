import type { ShopColour } from '../../../../shared/agent-shop-rules.ts'
import { SHOP_SHADES } from '../../../../shared/agent-shop-shades.ts'

/** The shop's colour in place of the house's; returns how to take it away. */
export function wearColour(colour: ShopColour): () => void {
  const { band, soft, darkBand, darkText, darkSoft } = SHOP_SHADES[colour]
  const light = `--shop-band:${band};--brand:${band};--brand-hover:${band};--on-brand:#fff;--brand-text:${band};--brand-soft:${soft}`
  const dark = `--shop-band:${darkBand};--brand:${darkText};--brand-hover:${darkText};--on-brand:#16110f;--brand-text:${darkText};--brand-soft:${darkSoft}`
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(
    `:root,[data-theme=light]{${light}}@media (prefers-color-scheme:dark){:root:not([data-theme=light]){${dark}}}[data-theme=dark]{${dark}}`,
  )
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
  return () => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet)
  }
}
