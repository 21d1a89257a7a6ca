/** The sign-in screen that brings its visitor back to `path`. */
export function signInPath(screen: '/login' | '/register', path: string): string {
  return `${screen}?redirect=${encodeURIComponent(path)}`
}
