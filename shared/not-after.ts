/** As far back as a text is looked at. */
const LOOK_BACK = 24

class NotAfter extends RegExp {
  private readonly before: RegExp
  private readonly search: RegExp

  /** Also called by `matchAll` and `split`, with one of these and its flags. */
  constructor(pattern: RegExp, flags: string, before?: RegExp) {
    super(pattern, flags)
    this.before = before ?? (pattern as NotAfter).before
    this.search = new RegExp(pattern, this.global || this.sticky ? flags : `${flags}g`)
  }

  override exec(text: string): RegExpExecArray | null {
    const goesOn = this.global || this.sticky
    this.search.lastIndex = goesOn ? this.lastIndex : 0
    let found = this.search.exec(text)
    while (found && this.before.test(text.slice(Math.max(0, found.index - LOOK_BACK), found.index + 1))) {
      // A letter that takes two units is passed as one.
      this.search.lastIndex = found.index + ((text.codePointAt(found.index) ?? 0) > 0xffff ? 2 : 1)
      found = this.sticky ? null : this.search.exec(text)
    }
    if (goesOn) this.lastIndex = found ? this.search.lastIndex : 0
    return found
  }
}

/**
 * The pattern, but only where the text up to the first character of the match doesn't end as `before` says: `notAfter(/\d.$/, /1gb/g)` finds
 * no 1gb in "11gb". It stands for a lookbehind, which ends a whole script in Safari before 16.4. `before` sees 24 characters and has no g.
 */
export function notAfter(before: RegExp, pattern: RegExp): RegExp {
  return new NotAfter(pattern, pattern.flags, before)
}
