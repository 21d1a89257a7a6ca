import { createElement, type SVGProps } from 'react'

type IconData = { node: [tag: string, attributes: Record<string, string>][] }

/** Draws an icon of the set; the set's own way to do it is five times the size, for options that nothing here uses. */
export default function createIcon({ node }: IconData) {
  return (props: SVGProps<SVGSVGElement>) =>
    createElement(
      'svg',
      {
        xmlns: 'http://www.w3.org/2000/svg',
        width: 24,
        height: 24,
        viewBox: '0 0 24 24',
        fill: 'none',
        stroke: 'currentColor',
        strokeWidth: 2,
        strokeLinecap: 'round',
        strokeLinejoin: 'round',
        'aria-hidden': true,
        ...props,
      },
      node.map(([tag, attributes]) => createElement(tag, attributes)),
    )
}
