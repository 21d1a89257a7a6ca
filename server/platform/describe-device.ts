/** Later entries also name earlier ones: Edge says that it is Chrome, and Chrome that it is Safari. */
const BROWSERS: [RegExp, string][] = [
  [/Opera Mini|OPiOS/, 'Opera Mini'],
  [/OPR\/|OPT\/|Opera/, 'Opera'],
  [/SamsungBrowser/, 'Samsung Internet'],
  [/UCBrowser/, 'UC Browser'],
  [/EdgA?\/|EdgiOS/, 'Edge'],
  [/Firefox|FxiOS/, 'Firefox'],
  [/Chrome|CriOS/, 'Chrome'],
  [/Safari/, 'Safari'],
]
const SYSTEMS: [RegExp, string][] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/CrOS/, 'Chromebook'],
  [/Macintosh/, 'Mac'],
  [/KaiOS|KAIOS/, 'KaiOS'],
  [/Linux/, 'Linux'],
]

/** A User-Agent header in words, such as "Chrome on Android"; null when it says nothing that we know. */
export function describeDevice(userAgent: string | undefined): string | null {
  const find = (known: [RegExp, string][]) => known.find(([sign]) => sign.test(userAgent ?? ''))?.[1]
  const [browser, system] = [find(BROWSERS), find(SYSTEMS)]
  return browser && system ? `${browser} on ${system}` : (browser ?? system ?? null)
}
