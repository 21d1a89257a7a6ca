import { QueryClient } from '@tanstack/react-query'
import { RefusedError } from './http.ts'
import { wipeAtSignOut } from './session.ts'

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      gcTime: 10 * 60_000,
      // A refusal stays a refusal; only what may pass by itself is asked again.
      retry: (failures, error) => failures < 2 && !(error instanceof RefusedError && error.status < 500),
      retryDelay: (attempt) => Math.min(1000 * 2 ** attempt, 8000),
    },
    mutations: { retry: false, networkMode: 'always' },
  },
})

wipeAtSignOut(() => queryClient.clear())
