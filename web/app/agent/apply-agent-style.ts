import css from './agent.css?inline'

const style = new CSSStyleSheet()
style.replaceSync(css)

/**
 * Before the first agents' screen is drawn. In front of the admins' sheet, which has these classes too, so that an owner who has been
 * here finds the portal as it is.
 */
export function applyAgentStyle(): void {
  const others = document.adoptedStyleSheets.filter((sheet) => sheet !== style)
  document.adoptedStyleSheets = [style, ...others]
}
