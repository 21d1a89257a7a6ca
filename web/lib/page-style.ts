/** A style sheet of a part of the app, which the page puts on when it needs it. */
export type PageStyle = {
  /** Behind the sheets of the page, or in front of those that were put on after it began. Once on, it is not put on again. */
  putOn(place?: 'first' | 'last'): void
  takeOff(): void
}

/**
 * The content security policy allows no `<style>` made by a script, so the page adopts the sheet. Browsers before Chrome 99, Firefox 101 and
 * Safari 16.4 can't, or have a list that can't be changed in place: there it becomes a rule of the page's own sheet.
 */
export function createPageStyle(css: string): PageStyle {
  return canAdopt() ? adopted(css) : asRule(css)
}

function canAdopt() {
  return 'adoptedStyleSheets' in Document.prototype && 'replaceSync' in CSSStyleSheet.prototype
}

function adopted(css: string): PageStyle {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  const others = () => document.adoptedStyleSheets.filter((one) => one !== sheet)
  return {
    putOn(place = 'last') {
      if (place === 'first') document.adoptedStyleSheets = [sheet, ...others()]
      else if (!document.adoptedStyleSheets.includes(sheet)) document.adoptedStyleSheets = [...others(), sheet]
    },
    takeOff() {
      document.adoptedStyleSheets = others()
    },
  }
}

/** The whole sheet in one rule, since a rule is all that a script may add. */
function asRule(css: string): PageStyle {
  let rule: CSSRule | undefined
  return {
    putOn(place = 'last') {
      const own = document.styleSheets[0]
      if (rule || !own) return
      const first = [...own.cssRules].findIndex((one) => 'media' in one && (one as CSSMediaRule).media.mediaText === 'all')
      const at = place === 'first' && first >= 0 ? first : own.cssRules.length
      own.insertRule(`@media all { ${css} }`, at)
      rule = own.cssRules[at]
    },
    takeOff() {
      if (rule) rule.parentStyleSheet?.deleteRule([...rule.parentStyleSheet.cssRules].indexOf(rule))
      rule = undefined
    },
  }
}
