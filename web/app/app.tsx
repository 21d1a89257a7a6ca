import { QueryClientProvider } from '@tanstack/react-query'
import { ConfirmDialogs } from '../ui/confirm-dialog.tsx'
import { Toaster } from '../ui/toast.tsx'
import { queryClient } from './query-client.ts'
import { Router } from './router.tsx'
import { SessionKeeper } from './session-keeper.tsx'
import { Shell } from './shell.tsx'

export function App() {
  return (
    <QueryClientProvider client={queryClient}>
      <SessionKeeper />
      <Shell>
        <Router />
      </Shell>
      <ConfirmDialogs />
      <Toaster />
    </QueryClientProvider>
  )
}
