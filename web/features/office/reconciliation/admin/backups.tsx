import { DatabaseBackup } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { formatDateTime } from '../../../../../shared/dates.ts'
import type { ReconciliationReply } from '../../../../../shared/reconciliation.ts'
import { waitingFor } from '../../../../lib/admin/waiting-for.ts'
import { counted } from '../../../../lib/admin/words.ts'
import { shopNow } from '../../../../lib/clock.ts'
import { CopyButton } from '../../../../ui/copy-button.tsx'
import { EmptyState } from '../../../../ui/empty-state.tsx'
import { Card } from '../../../../ui/page.tsx'

/** The last time that a backup was restored beside the shop and its books proved, and the command that does it. */
export function Backups({ last }: { last: ReconciliationReply['lastRehearsal'] }) {
  const section = useRef<HTMLElement>(null)
  // The inbox leads here, below a long list.
  useEffect(() => {
    if (window.location.hash === '#backups') section.current?.scrollIntoView()
  }, [])
  return (
    <section ref={section} id="backups" aria-label="Backups" className="scroll-mt-20">
      <h2 className="pb-3 text-title">Backups</h2>
      <p className="pb-3 text-muted">
        Only a backup that was restored is known to be good. Have your technician try it once a month: on a database of its own, while the
        shop goes on selling.
      </p>
      {last === null ? (
        <EmptyState icon={<DatabaseBackup aria-hidden="true" />} title="No backup was restored yet">
          Once somebody runs the command below, you’ll see here when, and how it went.
        </EmptyState>
      ) : (
        <Card>
          <dl className="grid gap-x-6 gap-y-3 p-4 sm:grid-cols-2 lg:grid-cols-4 [&_dt]:text-small [&_dt]:text-muted">
            <Fact name="Last restored">{waitingFor(last.at, shopNow())} ago</Fact>
            <Fact name="As it was on">{formatDateTime(new Date(last.restoredTo))}</Fact>
            <Fact name="From">{SOURCE[last.source]}</Fact>
            <Fact name="Took">{last.tookSeconds === null ? 'Not noted' : duration(last.tookSeconds)}</Fact>
          </dl>
          <p className="border-t border-line px-4 py-3 text-small text-muted">
            {last.orders.toLocaleString('en')} {last.orders === 1 ? 'order' : 'orders'} and {last.entries.toLocaleString('en')}{' '}
            {last.entries === 1 ? 'entry' : 'entries'} came back, and the books were right.
          </p>
        </Card>
      )}
      <ul className="pt-3 text-small text-muted">
        <Command text="npm run rehearse -- FILE">From a backup’s file:</Command>
        <Command text="npm run rehearse">From the archive of the database’s log:</Command>
      </ul>
    </section>
  )
}

function Fact({ name, children }: { name: string; children: string | string[] }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className="tabular font-medium">{children}</dd>
    </div>
  )
}

function Command({ text, children }: { text: string; children: string }) {
  return (
    <li className="flex flex-wrap items-center gap-x-3">
      {children}
      <CopyButton text={text} label={`Copy ${text}`}>
        <code className="font-mono text-text wrap-anywhere">{text}</code>
      </CopyButton>
    </li>
  )
}

const SOURCE = { file: 'A backup’s file', archive: 'The log’s archive' }

function duration(seconds: number): string {
  if (seconds < 90) return counted(seconds, 'second')
  return counted(Math.round(seconds / 60), 'minute')
}
