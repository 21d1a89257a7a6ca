import { BadgePercent } from 'lucide-react'
import { Suspense, useState } from 'react'
import { lazyWithQueries } from '../../lib/lazy-screen.tsx'
import { Button } from '../../ui/button.tsx'

const BecomeAgentDialog = lazyWithQueries(() => import('./become-agent-dialog.tsx'))

export function BecomeAgentButton({ block, onPress }: { block?: boolean; onPress?: () => void }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button
        variant="secondary"
        size="compact"
        {...(block ? { block } : {})}
        icon={<BadgePercent className="size-4.5 text-brand-text" aria-hidden="true" />}
        onClick={() => {
          onPress?.()
          setOpen(true)
        }}
      >
        Become Agent
      </Button>
      {open && (
        <Suspense fallback={null}>
          <BecomeAgentDialog onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
