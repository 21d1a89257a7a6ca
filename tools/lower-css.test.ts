import postcss from 'postcss'
import { describe, expect, test } from 'vitest'
import { lowerCss, withoutLists } from './lower-css.ts'

const lower = (css: string) =>
  postcss([lowerCss()]).process(css, { from: undefined }).css.replace(/[{}]/g, ' $& ').replace(/\s+/g, ' ').trim()

describe('a style sheet for old browsers', () => {
  test('has neither layers nor registered properties, and the values of these without a question', () => {
    expect(lower('@layer a, b; @layer a { p { color: red } @media print { p { color: blue } } }')).toBe(
      'p { color: red } @media print { p { color: blue } }',
    )
    expect(lower("@property --x { syntax: '*'; inherits: false; initial-value: 0 }")).toBe('')
    expect(lower('@layer properties { @supports (not (margin-trim: inline)) { *, ::before { --x: 0 } } }')).toBe('*, ::before { --x: 0 }')
    expect(lower('@supports (color: color-mix(in lab, red, red)) { ::placeholder { color: red } }')).toBe('')
    expect(lower('@supports (display: grid) { p { color: red } }')).toContain('@supports')
  })

  test.each([
    ['padding-inline: 4px', 'padding-left: 4px; padding-right: 4px'],
    ['padding-inline: 4px calc(1px + 2px)', 'padding-left: 4px; padding-right: calc(1px + 2px)'],
    ['margin-block: 1px 2px', 'margin-top: 1px; margin-bottom: 2px'],
    ['margin-inline-start: auto', 'margin-left: auto'],
    ['margin-block-end: 1px', 'margin-bottom: 1px'],
    ['inset-inline: 0', 'left: 0; right: 0'],
    ['inset-inline-end: 1px', 'right: 1px'],
    ['border-inline: 1px solid red', 'border-left: 1px solid red; border-right: 1px solid red'],
    ['border-inline-start-width: 2px', 'border-left-width: 2px'],
    ['translate: 1px 2px', 'transform: translate(1px, 2px)'],
    ['translate: none', 'transform: none'],
    ['rotate: -90deg', 'transform: rotate(-90deg)'],
    ['transition-property: transform, translate, scale, rotate', 'transition-property: transform'],
    ['transition: rotate 1s, margin 2s', 'transition: transform 1s, margin 2s'],
    ['height: 100dvh', 'height: 100vh; height: 100dvh'],
    ['height: 1dvh; height: 1vh', 'height: 1dvh; height: 1vh'],
    ['padding: max(1rem, env(x)) 2px', 'padding: 1rem 2px; padding: max(1rem, env(x)) 2px'],
    ['width: min(max(1px, 2px), 3px)', 'width: 1px; width: min(max(1px, 2px), 3px)'],
    ['width: minmax(1px, 2px)', 'width: minmax(1px, 2px)'],
    ['--own: min(1px, 2px)', '--own: min(1px, 2px)'],
    ['overflow-wrap: anywhere', 'word-break: break-word; overflow-wrap: anywhere'],
    ['color: red', 'color: red'],
  ])('says `%s` as `%s`', (today, both) => {
    expect(lower(`p { ${today} }`)).toBe(`p { ${both} }`)
  })

  test('leaves the steps of an animation', () => {
    expect(lower('@keyframes a { from { opacity: 0 } }')).toBe('@keyframes a { from { opacity: 0 } }')
  })
})

describe('a selector without :is() and :where()', () => {
  test.each([
    ['.a:is(.b, .c)', ['.a.b', '.a.c']],
    [':is(a, button):is(.t, .c):hover', ['a.t:hover', 'a.c:hover', 'button.t:hover', 'button.c:hover']],
    ['.x:is(a)', ['a.x']],
    [':where(.a > :not(:last-child))', ['.a > :not(:last-child)']],
    [':is(.a > *)', ['.a > *']],
    [':where([data-in]) .a', ['[data-in] .a']],
    ['.a:is(:where(.group):hover *)', ['.group:hover .a']],
    ['.a:is(.dark *):hover', ['.dark .a:hover']],
    [':is(.p, .q)::before', ['.p::before', '.q::before']],
    ['#root:has(main) :is(header, footer) > .m', ['#root:has(main) header > .m', '#root:has(main) footer > .m']],
    ['.a:not(:is(.b, .c))', ['.a:not(:is(.b, .c))']],
  ])('%s', (selector, selectors) => {
    expect(withoutLists(selector)).toEqual(selectors)
  })

  test('is refused where an ancestor is asked for in the middle', () => {
    expect(() => withoutLists('.a .b:is(.c .d)')).toThrow(/cannot be said/)
  })
})
