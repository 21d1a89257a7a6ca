/** What we use of npm's own reading of version ranges; the package has no types of its own. */
declare module 'semver' {
  export function satisfies(version: string, range: string): boolean
}
