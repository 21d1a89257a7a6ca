import { BadgePercent } from 'lucide-react'
import { useState } from 'react'
import { agentTexts } from '../../../texts/agents.ts'
import { Button } from '../../../ui/button.tsx'
import { lazyDialog } from '../../../ui/lazy-dialog.tsx'

const BecomeAgentDialog = lazyDialog(() => import('./become-agent-dialog.tsx'))

export function BecomeAgentButton({ block, onPress }: { block?: boolean; onPress?: () => void }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button
        variant={block ? 'secondary' : 'quiet'}
        {...(block ? { block } : {})}
        icon={block && <BadgePercent className="size-4.5 text-brand-text" aria-hidden="true" />}
        onClick={() => {
          onPress?.()
          setOpen(true)
        }}
      >
        {agentTexts.becomeAgent}
      </Button>
      {open && <BecomeAgentDialog onClose={() => setOpen(false)} />}
    </>
  )
}
