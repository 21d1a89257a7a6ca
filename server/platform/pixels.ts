import { glyphOf } from './glyphs.ts'

export type Colour = `#${string}`
type Box = { x: number; y: number; width: number; height: number }
type Point = readonly [x: number, y: number]
/** `size` is the height of a capital in pixels; `weight` the thickness of a stroke as a part of it. */
export type TextStyle = { size: number; weight?: number; colour: Colour }

const CAPITAL = 14
const SPACE = 3.6
const WEIGHT = 0.15
const ARC_STEP_DEGREES = 12

/** A picture in memory, on which shapes with smooth edges are drawn. Pixels are red, green, blue. */
export function openPixels(width: number, height: number, ground: Colour) {
  const bytes = Buffer.alloc(width * height * 3)
  const blend = (x: number, y: number, colour: readonly number[], part: number) => {
    const at = (y * width + x) * 3
    for (let channel = 0; channel < 3; channel += 1) {
      const before = bytes[at + channel] as number
      bytes[at + channel] = Math.round(before + ((colour[channel] as number) - before) * part)
    }
  }
  /** Draws what is within a distance: `distance` of a pixel's middle from the shape's edge, negative inside. */
  const fill = (box: Box, colour: Colour, distance: (x: number, y: number) => number, margin = 1) => {
    const channels = channelsOf(colour)
    const right = Math.min(width, Math.ceil(box.x + box.width + margin))
    const bottom = Math.min(height, Math.ceil(box.y + box.height + margin))
    for (let y = Math.max(0, Math.floor(box.y - margin)); y < bottom; y += 1) {
      for (let x = Math.max(0, Math.floor(box.x - margin)); x < right; x += 1) {
        const part = Math.min(1, 0.5 - distance(x + 0.5, y + 0.5))
        if (part > 0) blend(x, y, channels, part)
      }
    }
  }
  const copyRows = ({ x, y, width: wide, height: tall }: Box, colour: Colour) => {
    const row = Buffer.alloc(wide * 3, Buffer.from(channelsOf(colour)))
    for (let at = y; at < y + tall; at += 1) row.copy(bytes, (at * width + x) * 3)
  }
  const line = (from: Point, to: Point, thick: number, colour: Colour) => {
    const [x1, y1] = from
    const [dx, dy] = [to[0] - x1, to[1] - y1]
    const length = dx * dx + dy * dy
    const reach = thick / 2
    const box = {
      x: Math.min(x1, to[0]) - reach,
      y: Math.min(y1, to[1]) - reach,
      width: Math.abs(dx) + thick,
      height: Math.abs(dy) + thick,
    }
    fill(box, colour, (x, y) => {
      const along = length === 0 ? 0 : Math.max(0, Math.min(1, ((x - x1) * dx + (y - y1) * dy) / length))
      return Math.hypot(x - x1 - along * dx, y - y1 - along * dy) - reach
    })
  }
  const draw = {
    bytes,
    /** Only the corners need the distance to the edge; the rest is copied, row by row. Lengths in whole pixels. */
    rectangle({ x, y, width: wide, height: tall }: Box, colour: Colour, radius = 0) {
      copyRows({ x: x + radius, y, width: wide - 2 * radius, height: tall }, colour)
      copyRows({ x, y: y + radius, width: radius, height: tall - 2 * radius }, colour)
      copyRows({ x: x + wide - radius, y: y + radius, width: radius, height: tall - 2 * radius }, colour)
      for (const [cornerX, centreX] of [
        [x, x + radius],
        [x + wide - radius, x + wide - radius],
      ] as const)
        for (const [cornerY, centreY] of [
          [y, y + radius],
          [y + tall - radius, y + tall - radius],
        ] as const) {
          const corner = { x: cornerX, y: cornerY, width: radius, height: radius }
          if (radius > 0) fill(corner, colour, (px, py) => Math.hypot(px - centreX, py - centreY) - radius, 0)
        }
    },
    /** Writes a text of `drawableText` with its capitals' top at `y`. */
    write(text: string, x: number, y: number, { size, weight = WEIGHT, colour }: TextStyle) {
      const scale = size / CAPITAL
      let left = x
      for (const letter of text) {
        const glyph = glyphOf(letter)
        for (const points of strokesOf(glyph.strokes)) {
          const placed = points.map(([px, py]): Point => [left + px * scale, y + py * scale])
          for (let at = 1; at < placed.length; at += 1) line(placed[at - 1] as Point, placed[at] as Point, size * weight, colour)
        }
        left += (glyph.width + SPACE) * scale
      }
    },
    /** Puts pixels with an opacity, four bytes each, at a place. */
    place({ pixels, size }: { pixels: Buffer; size: number }, x: number, y: number) {
      for (let at = 0; at < size * size; at += 1) {
        const channels = [pixels[at * 4], pixels[at * 4 + 1], pixels[at * 4 + 2]] as number[]
        blend(x + (at % size), y + Math.floor(at / size), channels, (pixels[at * 4 + 3] as number) / 255)
      }
    },
  }
  draw.rectangle({ x: 0, y: 0, width, height }, ground)
  return draw
}

/** In pixels. */
export function widthOfText(text: string, size: number): number {
  const units = [...text].reduce((sum, letter) => sum + glyphOf(letter).width + SPACE, 0)
  return (Math.max(0, units - SPACE) * size) / CAPITAL
}

function channelsOf(colour: Colour): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16))
}

function strokesOf(strokes: string): Point[][] {
  if (strokes === '') return []
  return strokes.split('|').map((stroke) => {
    if (!stroke.startsWith('@')) return stroke.split(' ').map((point) => point.split(',').map(Number) as unknown as Point)
    const [cx, cy, rx, ry, from, to] = stroke.slice(1).split(',').map(Number) as [number, number, number, number, number, number]
    const steps = Math.ceil(Math.abs(to - from) / ARC_STEP_DEGREES)
    return Array.from({ length: steps + 1 }, (_, at): Point => {
      const angle = ((from + ((to - from) * at) / steps) * Math.PI) / 180
      return [cx + rx * Math.cos(angle), cy + ry * Math.sin(angle)]
    })
  })
}
