import { createHash } from 'node:crypto'
import { SHOP_SHADES } from '../../../../shared/agent-shop-shades.ts'
import type { PublicShop } from '../../../../shared/agent-shops.ts'
import { formatCedis } from '../../../../shared/money.ts'
import type { Network } from '../../../../shared/networks.ts'
import { INK, LINE, MUTED, NETWORK_COLOURS, PAPER, SURFACE } from '../../../../shared/shop-picture-colours.ts'
import { drawableText } from '../../../platform/glyphs.ts'
import { type Colour, openPixels, widthOfText } from '../../../platform/pixels.ts'

/** What chats show whole; 1.91 to 1. */
const WIDTH = 1200
const HEIGHT = 630
const BAND = 276
const MARGIN = 56
const MARK = 164
const GAP = 20
const MOST_OFFERS = 6
const WHITE = '#ffffff'

export const LOGO_SIZE = MARK - 16

/** What the picture of a shop shows; two with the same `hash` look the same. */
export type ShopPicture = {
  name: string
  address: string
  band: Colour
  logo: string | null
  closed: boolean
  offers: { network: Network; offer: string; price: string }[]
  hash: string
}

/** The facts of a shop's picture. A name that no letter can be drawn of is replaced by that of its link. */
export function composeShopPicture({ slug, name, colour, logo, closed, offers }: PublicShop, canonical: string): ShopPicture {
  const shown = {
    name: drawableText(name) || slug,
    address: drawableText(canonical.replace(/^https?:\/\//, '').replace(/\/$/, '')),
    band: SHOP_SHADES[colour].band as Colour,
    logo,
    closed: closed !== null,
    offers: chooseOffers(offers).map(({ network, offer, price }) => ({
      network,
      offer: drawableText(offer),
      price: `GHS ${formatCedis(price)}`,
    })),
  }
  return {
    ...shown,
    hash: createHash('sha256')
      .update(JSON.stringify([1, shown]))
      .digest('hex')
      .slice(0, 32),
  }
}

/** Of each network in turn, in the catalogue's order, so that a guest sees that there is one for their phone. */
function chooseOffers(offers: PublicShop['offers']): PublicShop['offers'] {
  const networks = [...Map.groupBy(offers, ({ network }) => network).values()]
  const turns = Array.from({ length: MOST_OFFERS }, (_, turn) => networks.flatMap((ofNetwork) => ofNetwork[turn] ?? []))
  return turns
    .flat()
    .slice(0, MOST_OFFERS)
    .toSorted((a, b) => offers.indexOf(a) - offers.indexOf(b))
}

type Logo = { pixels: Buffer; size: number }

/** Draws it: 1200 by 630 pixels of three bytes. It keeps the process busy for some 50 ms, so keep what comes of it. */
export function composePixels(picture: ShopPicture, logo: Logo | null): { pixels: Buffer; width: number; height: number } {
  const { name, address, band, closed, offers } = picture
  const draw = openPixels(WIDTH, HEIGHT, PAPER)
  draw.rectangle({ x: 0, y: 0, width: WIDTH, height: BAND }, band)
  draw.rectangle({ x: MARGIN, y: (BAND - MARK) / 2, width: MARK, height: MARK }, WHITE, 24)
  if (logo) draw.place(logo, MARGIN + (MARK - logo.size) / 2, (BAND - logo.size) / 2)
  else {
    const initials = initialsOf(name)
    draw.write(initials, MARGIN + (MARK - widthOfText(initials, 60)) / 2, (BAND - 60) / 2, { size: 60, weight: 0.2, colour: band })
  }

  const left = MARGIN + MARK + 40
  const room = WIDTH - left - MARGIN
  const { lines, size } = fitLines(name, room)
  const height = lines.length * size * 1.75 + 34
  let y = (BAND - height) / 2 + size * 0.2
  for (const line of lines) {
    draw.write(line, left, y, { size, weight: 0.19, colour: WHITE })
    y += size * 1.75
  }
  draw.write(cut(address, 24, room), left, y + 6, { size: 24, weight: 0.12, colour: WHITE })

  if (closed || offers.length === 0) {
    draw.write(closed ? 'This shop is closed now.' : 'Data bundles', MARGIN, BAND + 70, { size: 36, colour: INK })
    return { pixels: draw.bytes, width: WIDTH, height: HEIGHT }
  }
  const columns = Math.min(3, offers.length)
  const rows = Math.ceil(offers.length / columns)
  const width = Math.floor((WIDTH - 2 * MARGIN - (columns - 1) * GAP) / columns)
  const tall = Math.min(160, Math.floor((HEIGHT - BAND - 2 * 34 - (rows - 1) * GAP) / rows))
  offers.forEach(({ network, offer, price }, index) => {
    const x = MARGIN + (index % columns) * (width + GAP)
    const top = BAND + 34 + Math.floor(index / columns) * (tall + GAP)
    draw.rectangle({ x, y: top, width, height: tall }, LINE, 14)
    draw.rectangle({ x: x + 1, y: top + 1, width: width - 2, height: tall - 2 }, SURFACE, 13)
    draw.rectangle({ x: x + 1, y: top + 14, width: 9, height: tall - 28 }, NETWORK_COLOURS[network])
    draw.write(cut(network, 16, width - 60), x + 34, top + 17, { size: 16, weight: 0.13, colour: MUTED })
    draw.write(cut(offer, 28, width - 60), x + 34, top + 46, { size: 28, weight: 0.19, colour: INK })
    draw.write(price, x + 34, top + tall - 37, { size: 22, weight: 0.15, colour: band })
  })
  return { pixels: draw.bytes, width: WIDTH, height: HEIGHT }
}

function initialsOf(name: string): string {
  const [first = '', second] = name.split(' ')
  return (second ? (first[0] ?? '') + (second[0] ?? '') : first.slice(0, 2)).toUpperCase()
}

/** A name in one line if it fits, else in two, smaller the longer it is. */
function fitLines(name: string, room: number): { lines: string[]; size: number } {
  for (const size of [64, 54]) if (widthOfText(name, size) <= room) return { lines: [name], size }
  for (const size of [48, 40, 32]) {
    const lines = wrap(name, size, room)
    if (lines.length <= 2 && lines.every((line) => widthOfText(line, size) <= room)) return { lines, size }
  }
  const [first = '', ...rest] = wrap(name, 32, room)
  return { lines: [cut(first, 32, room), cut(rest.join(' ') || name.slice(first.length), 32, room)].filter(Boolean), size: 32 }
}

function wrap(text: string, size: number, room: number): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const longer = lines.length === 0 ? word : `${lines.at(-1)} ${word}`
    if (lines.length > 0 && widthOfText(longer, size) <= room) lines[lines.length - 1] = longer
    else lines.push(word)
  }
  return lines
}

/** What of a text fits, with dots where it was cut. */
function cut(text: string, size: number, room: number): string {
  if (widthOfText(text, size) <= room) return text
  let kept = text
  while (kept.length > 0 && widthOfText(`${kept}...`, size) > room) kept = kept.slice(0, -1)
  return `${kept.trim()}...`
}
