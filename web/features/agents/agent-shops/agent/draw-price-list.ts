import type { ShopOffer } from '../../../../../shared/agent-shops.ts'
import type { Network } from '../../../../../shared/networks.ts'
import { INK, LINE, MUTED, NETWORK_COLOURS, PAPER, SURFACE } from '../../../../../shared/shop-picture-colours.ts'
import { myShopTexts as texts } from '../../../../texts/my-shop.ts'
import { offerParts } from '../../../catalogue/products/offer-parts.ts'
import { initialsOf } from '../../guest-shop/shop-mark.tsx'

/** The size of a WhatsApp status. */
const WIDTH = 1080
const HEIGHT = 1920
const MARGIN = 65
/** WhatsApp lays its own bars over the top and the bottom. */
const BAND_TOP = 135
const BAND_BOTTOM = 340
const END = 1690
const FOOT = 156
const GAP = 20
const TILE = 176
const FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", Arial, sans-serif'

type Shown = { name: string; link: string; whatsapp: string | null; band: string; logo: HTMLImageElement | null; day: string }

/** Draws the price list of a shop. `offers` in the catalogue's order; what does not fit is counted in the last line. */
export function drawPriceList(canvas: HTMLCanvasElement, shown: Shown, offers: readonly ShopOffer[]): void {
  canvas.width = WIDTH
  canvas.height = HEIGHT
  const pen = canvas.getContext('2d')
  if (!pen) throw new Error('This browser draws no pictures.')
  pen.fillStyle = PAPER
  pen.fillRect(0, 0, WIDTH, HEIGHT)
  drawBand(pen, shown)
  const { columns, scale, groups, left } = arrange(offers)
  let y = BAND_BOTTOM + 28
  for (const group of groups) {
    pen.textBaseline = 'alphabetic'
    write(pen, group.network, MARGIN, y + 46, { size: 45, weight: 700 })
    const notes = new Set(group.offers.map(({ note }) => note))
    const [note] = notes
    if (notes.size === 1 && note) write(pen, note, WIDTH - MARGIN, y + 46, { size: 33, colour: MUTED, align: 'right' })
    y += HEADING
    group.offers.forEach((offer, index) => {
      const column = index % columns
      const width = (WIDTH - 2 * MARGIN - (columns - 1) * GAP) / columns
      const top = y + Math.floor(index / columns) * (TILE * scale + GAP)
      drawTile(pen, offer, { x: MARGIN + column * (width + GAP), y: top, width, scale, edge: NETWORK_COLOURS[group.network] })
    })
    y += Math.ceil(group.offers.length / columns) * (TILE * scale + GAP)
  }
  if (left > 0) write(pen, texts.more(left), WIDTH / 2, y + 30, { size: 36, colour: MUTED, align: 'center' })
  drawFoot(pen, shown, Math.min(END - FOOT, y + (left > 0 ? 56 : 20)))
}

const HEADING = 62
/** Room for the line that counts what is left out. */
const MORE = 50
/** Tiles get smaller with their number: columns, and how large they are drawn. */
const SIZES = [
  { columns: 4, scale: 1 },
  { columns: 5, scale: 0.9 },
  { columns: 6, scale: 0.74 },
] as const

type Tile = { name: string; note: string | undefined; price: number }
type Group = { network: Network; offers: Tile[] }

/** As few columns as all fit in; past the most, the last packages of the largest networks are left out. */
export function arrange(offers: readonly ShopOffer[]): { columns: number; scale: number; groups: Group[]; left: number } {
  const groups = [...new Set(offers.map(({ network }) => network))].map((network): Group => {
    const own = offers.filter((offer) => offer.network === network)
    return { network, offers: own.map(({ offer, price }) => ({ ...offerParts(network, offer), price })) }
  })
  const room = END - FOOT - 20 - (BAND_BOTTOM + 28)
  const height = ({ columns, scale }: { columns: number; scale: number }) =>
    groups.reduce((sum, group) => sum + HEADING + Math.ceil(group.offers.length / columns) * (TILE * scale + GAP), 0)
  const size = SIZES.find((one) => height(one) <= room) ?? SIZES[2]
  let left = 0
  while (height(size) > room - (left > 0 ? MORE : 0)) {
    const largest = groups.reduce((most, group) => (group.offers.length > most.offers.length ? group : most))
    left += largest.offers.splice(-(largest.offers.length % size.columns || size.columns)).length
    if (largest.offers.length === 0) groups.splice(groups.indexOf(largest), 1)
  }
  return { ...size, groups, left }
}

function drawBand(pen: CanvasRenderingContext2D, { name, band, logo, day }: Shown) {
  pen.fillStyle = band
  pen.fillRect(0, 0, WIDTH, BAND_BOTTOM)
  pen.save()
  pen.beginPath()
  pen.rect(0, 0, WIDTH, BAND_BOTTOM)
  pen.clip()
  pen.strokeStyle = 'rgb(255 255 255 / 0.06)'
  pen.lineWidth = 3
  for (let radius = 60; radius < 1100; radius += 60) {
    pen.beginPath()
    pen.arc(950, 140, radius, 0, 2 * Math.PI)
    pen.stroke()
  }
  pen.restore()
  const side = 150
  pen.save()
  pen.beginPath()
  pen.roundRect(MARGIN, BAND_TOP, side, side, 38)
  pen.fillStyle = SURFACE
  pen.fill()
  pen.clip()
  if (logo) pen.drawImage(logo, MARGIN, BAND_TOP, side, side)
  pen.restore()
  if (!logo) write(pen, initialsOf(name), MARGIN + side / 2, BAND_TOP + 102, { size: 76, weight: 800, colour: band, align: 'center' })
  const x = MARGIN + side + 40
  write(pen, name, x, BAND_TOP + 78, { size: 88, weight: 700, colour: '#fff', most: WIDTH - MARGIN - x })
  write(pen, texts.today(day), x, BAND_TOP + 134, { size: 38, colour: 'rgb(255 255 255 / 0.86)', most: WIDTH - MARGIN - x })
}

type Place = { x: number; y: number; width: number; scale: number; edge: string }

function drawTile(pen: CanvasRenderingContext2D, { name, note, price }: Tile, { x, y, width: drawn, scale, edge }: Place) {
  const width = drawn / scale
  const perforation = 104
  pen.save()
  pen.translate(x, y)
  pen.scale(scale, scale)
  pen.save()
  pen.beginPath()
  pen.roundRect(0, 0, width, TILE, 24)
  pen.clip()
  pen.fillStyle = SURFACE
  pen.fillRect(0, 0, width, TILE)
  pen.fillStyle = edge
  pen.fillRect(0, 0, width, 18)
  pen.restore()
  pen.strokeStyle = LINE
  pen.lineWidth = 3
  pen.beginPath()
  pen.roundRect(0, 0, width, TILE, 24)
  pen.stroke()
  pen.save()
  pen.setLineDash([0.1, 12])
  pen.lineCap = 'round'
  pen.lineWidth = 5
  pen.beginPath()
  pen.moveTo(26, perforation)
  pen.lineTo(width - 24, perforation)
  pen.stroke()
  pen.restore()
  // The notches lie over the tile's edge, with the paper's colour beyond it.
  for (const notch of [0, width]) {
    pen.beginPath()
    pen.arc(notch, perforation, 14, 0, 2 * Math.PI)
    pen.fillStyle = PAPER
    pen.fill()
  }
  const inner = width - 40
  const [, amount, unit] = /^(\d+(?:[.,]\d+)*) ?([GM]B)$/i.exec(name) ?? []
  if (amount && unit) {
    const end = write(pen, amount, 22, 82, { size: 64, weight: 700, most: inner - 50 })
    write(pen, unit, end + 5, 82, { size: 30, weight: 600 })
  } else drawName(pen, note ? `${name} ${note}` : name, inner)
  const sign = write(pen, '¢', 22, 154, { size: 34, colour: MUTED })
  write(pen, price.toFixed(2), sign + 2, 154, { size: 46, weight: 700, most: inner - 24 })
  pen.restore()
}

/** A name that is no volume, in one line or two. */
function drawName(pen: CanvasRenderingContext2D, name: string, most: number) {
  pen.font = `700 42px ${FONT}`
  const cut = name.lastIndexOf(' ', Math.ceil(name.length / 2) + 2)
  if (pen.measureText(name).width <= most || cut < 1) write(pen, name, 22, 78, { size: 42, weight: 700, most })
  else {
    write(pen, name.slice(0, cut), 22, 54, { size: 34, weight: 700, most })
    write(pen, name.slice(cut + 1), 22, 90, { size: 34, weight: 700, most })
  }
}

function drawFoot(pen: CanvasRenderingContext2D, { link, whatsapp, band }: Shown, y: number) {
  pen.fillStyle = band
  pen.beginPath()
  pen.roundRect(MARGIN, y, WIDTH - 2 * MARGIN, FOOT, 30)
  pen.fill()
  const most = WIDTH - 2 * MARGIN - 80
  write(pen, link, WIDTH / 2, y + 74, { size: 62, weight: 700, colour: '#fff', align: 'center', most })
  write(pen, whatsapp === null ? texts.payBy : texts.payByAnd(whatsapp), WIDTH / 2, y + 124, {
    size: 37,
    colour: 'rgb(255 255 255 / 0.86)',
    align: 'center',
    most,
  })
}

type Style = { size: number; weight?: number; colour?: string; align?: CanvasTextAlign; most?: number }

/** Writes a line, smaller where it would be too wide; returns where it ends. */
function write(
  pen: CanvasRenderingContext2D,
  text: string,
  x: number,
  y: number,
  { size, weight = 400, colour = INK, align = 'left', most }: Style,
): number {
  pen.font = `${weight} ${size}px ${FONT}`
  const width = pen.measureText(text).width
  if (most !== undefined && width > most) pen.font = `${weight} ${Math.floor((size * most) / width)}px ${FONT}`
  pen.fillStyle = colour
  pen.textAlign = align
  pen.fillText(text, x, y)
  return x + pen.measureText(text).width
}
