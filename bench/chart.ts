import { type Figure, formatValue, isMet } from './figures.ts'

const WIDTH = 960
const ROW = 44
const TOP = 56
const LEFT = 24
const BARS = WIDTH - 2 * LEFT
/** Where the target stands; a bar beyond it has missed it. */
const TARGET_AT = 0.6

/** One bar for each figure: how much of what it is allowed it uses. Follows the viewer's light or dark mode. */
export function drawChart(figures: Figure[]): string {
  const height = TOP + figures.length * ROW + 16
  const line = LEFT + BARS * TARGET_AT
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-label="How each figure stands against its target">
<style>
  text { font: 14px system-ui, sans-serif; fill: #1b1b18 }
  .paper { fill: #fdfcf8 } .soft { fill: #5c5b55 } .rail { fill: #e9e7df } .met { fill: #0a6b45 } .missed { fill: #b3261e } .target { stroke: #1b1b18 }
  @media (prefers-color-scheme: dark) {
    text { fill: #f0efe9 } .paper { fill: #191a18 } .soft { fill: #b5b4ac } .rail { fill: #34352f } .met { fill: #4cc38a } .missed { fill: #ff8a80 } .target { stroke: #f0efe9 }
  }
</style>
<rect class="paper" width="${WIDTH}" height="${height}" rx="8"/>
<text x="${LEFT}" y="30" class="soft">Shorter is better; a bar that ends before the line has met its target.</text>
${figures.map((figure, index) => drawRow(figure, TOP + index * ROW)).join('\n')}
<line class="target" x1="${line}" y1="${TOP - 8}" x2="${line}" y2="${height - 12}" stroke-width="1.5" stroke-dasharray="4 4"/>
</svg>
`
}

function drawRow(figure: Figure, y: number): string {
  const { name, value, unit, keep, target } = figure
  const width = Math.max(2, Math.min(1, share(figure) * TARGET_AT) * BARS)
  const values = `${formatValue(value, unit)}, ${keep} ${formatValue(target, unit)}`
  return `<text x="${LEFT}" y="${y + 14}">${escapeXml(name)}</text><text x="${WIDTH - LEFT}" y="${y + 14}" text-anchor="end" class="soft">${escapeXml(values)}</text>
<rect class="rail" x="${LEFT}" y="${y + 20}" width="${BARS}" height="10" rx="5"/><rect class="${isMet(figure) ? 'met' : 'missed'}" x="${LEFT}" y="${y + 20}" width="${width.toFixed(1)}" height="10" rx="5"/>`
}

/** 1 is the target itself; below it is better, whichever way the figure goes. */
function share({ keep, value, target }: Figure): number {
  if (target === 0) return value <= 0 ? 0 : 2
  return Math.max(0, keep === 'at most' ? value / target : target / value)
}

function escapeXml(text: string): string {
  return text.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`)
}
