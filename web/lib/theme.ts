import { createStored } from './stored.ts'
import { useMediaQuery } from './use-media-query.ts'

export type Theme = 'light' | 'dark' | 'system'

const DARK = '(prefers-color-scheme: dark)'

/** The theme chosen on this browser; the system's by default. */
const themeChoice = createStored<Theme>('theme', 'system', (value) => value === 'light' || value === 'dark')

export function applyTheme(): void {
  const choice = themeChoice.get()
  const root = document.documentElement
  if (choice === 'system') delete root.dataset.theme
  else root.dataset.theme = choice
}

export function toggleTheme(): void {
  themeChoice.set(isDark() ? 'light' : 'dark')
  applyTheme()
}

export function useIsDark(): boolean {
  const choice = themeChoice.use()
  const systemIsDark = useMediaQuery(DARK)
  return choice === 'system' ? systemIsDark : choice === 'dark'
}

function isDark(): boolean {
  const choice = themeChoice.get()
  return choice === 'system' ? window.matchMedia(DARK).matches : choice === 'dark'
}
