import { maskPhone } from '../../../../shared/phones.ts'
import { receiptTexts as texts } from '../../../texts/receipts.ts'
import { type ReceiptStep, type ShownReceipt, stepsOf } from './receipt-ticket.tsx'

const WIDTH = 1080
const MARGIN = 60
const PAD = 54
const FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", Arial, sans-serif'
/** Always paper on green, whatever the theme, so that every shared picture is the same. */
const INK = '#141915'
const MUTED = '#575d56'
const PAPER = '#fffefb'
const GREEN = '#06402a'
const RED = '#b0251d'
const AMBER = '#7f4c00'

/** The ticket on the green page as a PNG. Colours and drawing of the network are taken from the ticket on screen. */
export async function drawReceipt(ticket: HTMLElement, { order, progress, name, price, shopName, link }: ShownReceipt): Promise<Blob> {
  const canvas = document.createElement('canvas')
  const pen = canvas.getContext('2d')
  if (!pen) throw new Error('This browser draws no pictures.')
  const left = MARGIN
  const right = WIDTH - MARGIN
  const inner = right - left - 2 * PAD
  const offer = /^(\d+(?:[.,]\d+)*) ?([GM]B)$/i.exec(order.offer)
  pen.font = bold(66)
  const offerLines = offer ? [] : linesOf(pen, order.offer, inner)
  pen.font = plain(46)
  const whom = linesOf(pen, `${texts.for} ${name ? `${name}, ` : ''}${maskPhone(order.receiver)}`, inner)
  pen.font = plain(36)
  const address = linesOf(pen, link, inner - 380)

  const bandTop = MARGIN
  const bodyTop = bandTop + 300
  const offerBottom = bodyTop + PAD + (offer ? 180 : 80 * offerLines.length)
  const whomBottom = offerBottom + 24 + 62 * whom.length + (price ? 80 : 0)
  const perforation = whomBottom + 300
  const bottom = perforation + PAD * 2 + 60 + 46 * address.length
  canvas.width = WIDTH
  canvas.height = bottom + MARGIN

  pen.fillStyle = GREEN
  pen.fillRect(0, 0, WIDTH, canvas.height)
  pen.save()
  pen.beginPath()
  pen.roundRect(left, bandTop, right - left, bottom - bandTop, 36)
  pen.clip()
  pen.fillStyle = PAPER
  pen.fillRect(left, bandTop, right - left, bottom - bandTop)
  const band = getComputedStyle(ticket.querySelector('.art') ?? ticket)
  pen.fillStyle = band.backgroundColor
  pen.fillRect(left, bandTop, right - left, bodyTop - bandTop)
  pen.strokeStyle = 'rgb(0 0 0 / 0.09)'
  pen.lineWidth = 3
  for (let radius = 24; radius < 900; radius += 27) {
    pen.beginPath()
    pen.arc(right - 190, bandTop + 170, radius, 0, 2 * Math.PI)
    pen.save()
    pen.clip(new Path2D(`M${left} ${bandTop}H${right}V${bodyTop}H${left}z`))
    pen.stroke()
    pen.restore()
  }
  pen.restore()
  const onBand = band.color
  write(pen, order.network, left + PAD, bandTop + 90, bold(56), onBand)
  const glyph = ticket.querySelector<SVGSVGElement>('.art svg')
  if (glyph) drawGlyph(pen, glyph, { x: right - 300, y: bandTop + 40, size: 224, color: onBand })

  if (offer) {
    write(pen, offer[1] ?? '', left + PAD, bodyTop + PAD + 150, bold(190), INK)
    const { width } = pen.measureText(offer[1] ?? '')
    write(pen, offer[2] ?? '', left + PAD + width + 12, bodyTop + PAD + 150, bold(96), INK)
  } else writeLines(pen, offerLines, left + PAD, bodyTop + PAD + 60, 80, bold(66), INK)
  writeLines(pen, whom, left + PAD, offerBottom + 66, 62, plain(46), INK)
  if (price) write(pen, price, left + PAD, whomBottom - 4, bold(56), INK)

  const steps = stepsOf(progress, order.date)
  steps.forEach((step, index) => {
    drawStep(pen, step, left + PAD + (inner * (index + 0.5)) / steps.length, whomBottom + 60)
  })

  pen.setLineDash([2, 16])
  pen.lineCap = 'round'
  pen.lineWidth = 7
  pen.strokeStyle = '#85867a'
  pen.stroke(new Path2D(`M${left + 44} ${perforation}H${right - 44}`))
  pen.setLineDash([])
  for (const x of [left, right]) {
    pen.fillStyle = GREEN
    pen.beginPath()
    pen.arc(x, perforation, 26, 0, 2 * Math.PI)
    pen.fill()
  }

  const stub = perforation + PAD + 44
  write(pen, shopName, left + PAD, stub, bold(46), INK)
  writeLines(pen, address, left + PAD, stub + 56, 46, plain(36), MUTED)
  pen.textAlign = 'right'
  write(pen, order.date.slice(0, 10), right - PAD, stub, plain(36), MUTED)
  write(pen, texts.number(order.number), right - PAD, stub + 56, plain(36), MUTED)
  return toBlob(canvas)
}

const bold = (size: number) => `700 ${size}px ${FONT}`
const plain = (size: number) => `400 ${size}px ${FONT}`

function write(pen: CanvasRenderingContext2D, text: string, x: number, y: number, font: string, color: string): void {
  pen.font = font
  pen.fillStyle = color
  pen.fillText(text, x, y)
}

function writeLines(
  pen: CanvasRenderingContext2D,
  lines: readonly string[],
  x: number,
  y: number,
  apart: number,
  font: string,
  color: string,
): void {
  for (const [index, line] of lines.entries()) write(pen, line, x, y + apart * index, font, color)
}

function drawStep(pen: CanvasRenderingContext2D, { title, time, state }: ReceiptStep, x: number, y: number): void {
  const color = state === 'done' ? GREEN : state === 'failed' ? RED : AMBER
  pen.beginPath()
  pen.arc(x, y + 40, 40, 0, 2 * Math.PI)
  pen.lineWidth = 6
  if (state === 'waiting') {
    pen.setLineDash([14, 12])
    pen.strokeStyle = color
    pen.stroke()
    pen.setLineDash([])
  } else {
    pen.fillStyle = color
    pen.fill()
    pen.strokeStyle = PAPER
    pen.lineWidth = 8
    pen.lineCap = 'round'
    pen.lineJoin = 'round'
    const sign = state === 'done' ? 'm-17 1 12 12 23-24' : 'm-14-14 28 28m0-28-28 28'
    pen.save()
    pen.translate(x, y + 40)
    pen.stroke(new Path2D(sign))
    pen.restore()
  }
  pen.textAlign = 'center'
  write(pen, title, x, y + 140, bold(42), INK)
  write(pen, time, x, y + 192, plain(36), MUTED)
  pen.textAlign = 'left'
}

/** Draws the shapes of the network's own drawing, which consists of paths, circles and rounded rectangles. */
function drawGlyph(
  pen: CanvasRenderingContext2D,
  glyph: SVGSVGElement,
  { x, y, size, color }: { x: number; y: number; size: number; color: string },
): void {
  pen.save()
  pen.translate(x, y)
  pen.scale(size / glyph.viewBox.baseVal.width, size / glyph.viewBox.baseVal.height)
  pen.lineCap = 'round'
  pen.lineJoin = 'round'
  pen.strokeStyle = color
  pen.fillStyle = color
  for (const shape of glyph.querySelectorAll<SVGGeometryElement>('path, circle, rect')) {
    const number = (name: string, otherwise = 0) => Number(shape.getAttribute(name) ?? otherwise)
    const path = new Path2D(shape.getAttribute('d') ?? undefined)
    if (shape.tagName === 'circle') path.arc(number('cx'), number('cy'), number('r'), 0, 2 * Math.PI)
    if (shape.tagName === 'rect') path.roundRect(number('x'), number('y'), number('width'), number('height'), number('rx'))
    pen.lineWidth = number('stroke-width', Number(glyph.getAttribute('stroke-width') ?? 2))
    if (shape.getAttribute('stroke') !== 'none') pen.stroke(path)
    if (shape.getAttribute('fill') === 'currentColor') pen.fill(path)
  }
  pen.restore()
}

/** The text in lines that fit, broken between words or, where a word alone is too wide, inside it. */
function linesOf(pen: CanvasRenderingContext2D, text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const piece of text.match(/[^ ]* |[^ ]+/g) ?? []) {
    if (line && pen.measureText(line + piece).width > width) {
      lines.push(line)
      line = ''
    }
    for (const letter of piece) {
      if (line && pen.measureText(line + letter).width > width) {
        lines.push(line)
        line = ''
      }
      line += letter
    }
  }
  return [...lines, line].filter((one) => one.trim() !== '')
}

function toBlob(canvas: HTMLCanvasElement): Promise<Blob> {
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('The picture could not be made.'))), 'image/png')
  })
}
