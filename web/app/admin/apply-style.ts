import css from './admin.css?inline'

const style = new CSSStyleSheet()
style.replaceSync(css)

/** Before the first screen of the portal is drawn. The content security policy allows no `<style>` made by a script. */
export function applyAdminStyle(): void {
  // Before Chrome 99 the list can't be changed in place.
  if (!document.adoptedStyleSheets.includes(style)) document.adoptedStyleSheets = [...document.adoptedStyleSheets, style]
}
