import type { QueryClient } from '@tanstack/react-query'

/** What runs while somebody is signed in; returns how to stop it. */
export function startSignedIn(_client: QueryClient): () => void {
  return () => {}
}
