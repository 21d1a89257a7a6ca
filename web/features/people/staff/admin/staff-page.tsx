import { useQuery } from '@tanstack/react-query'
import { ChevronRight, Plus, ShieldCheck, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { formatDateTime } from '../../../../../shared/dates.ts'
import type { StaffMember } from '../../../../../shared/staff.ts'
import { hasRole } from '../../../../../shared/staff-rules.ts'
import { counted } from '../../../../lib/admin/words.ts'
import { ActBar } from '../../../../ui/admin/act-bar.tsx'
import { Card, StateChip } from '../../../../ui/admin/card.tsx'
import { RefreshProblem } from '../../../../ui/admin/refresh-problem.tsx'
import { useScreenTitle } from '../../../../ui/admin/screen-title.ts'
import { Button } from '../../../../ui/button.tsx'
import { LoadError } from '../../../../ui/notice-box.tsx'
import { Loading, Skeleton } from '../../../../ui/skeleton.tsx'
import ActivityTab from '../../activity/admin/activity-tab.tsx'
import { staffQuery } from './api.ts'
import { InviteDialog } from './invite-dialog.tsx'
import { PersonDialog } from './person-dialog.tsx'
import { PowersCard } from './powers-card.tsx'
import { roleNames } from './role-words.ts'
import { RulesCard } from './rules-card.tsx'

/** Who works here, who may do what, the rules for money, and what everybody did. */
export default function StaffPage() {
  const { data, error, refetch } = useQuery(staffQuery)
  const [open, setOpen] = useState<string | null>(null)
  const [inviting, setInviting] = useState(false)
  const people = data?.people ?? []
  const here = people.filter((person) => person.here).length
  useScreenTitle({
    title: 'Staff',
    subtitle: data && `${counted(people.length, 'person', 'people')}, ${here} here now`,
    back: '/admin/more',
  })
  if (error && !data) return <LoadError what="The staff" error={error} onRetry={() => void refetch()} />
  if (!data)
    return (
      <Loading label="Loading the staff…">
        <Skeleton className="h-96" />
      </Loading>
    )
  const chosen = people.find(({ _id }) => _id === open)
  return (
    <div className="flex flex-col gap-4 lg:gap-5">
      <RefreshProblem error={error} onRetry={() => void refetch()} />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 lg:grid-cols-2 lg:items-start lg:gap-5">
        <Card title="People">
          <ul className="divide-y divide-line">
            {people.map((person) => (
              <li key={person._id}>
                <PersonRow person={person} onOpen={() => setOpen(person._id)} />
              </li>
            ))}
          </ul>
        </Card>
        <div className="row-span-2 min-w-0">
          <PowersCard limit={data.rules.secondPersonAbove} />
        </div>
        <RulesCard rules={data.rules} />
      </div>
      <section aria-label="Activity" className="flex flex-col gap-3">
        <h2 className="text-large font-bold">Activity</h2>
        <ActivityTab />
      </section>
      <NextAct people={people} onInvite={() => setInviting(true)} />
      {chosen && <PersonDialog person={chosen} onClose={() => setOpen(null)} />}
      {inviting && <InviteDialog people={people} onClose={() => setInviting(false)} />}
    </div>
  )
}

function PersonRow({ person, onOpen }: { person: StaffMember; onOpen: () => void }) {
  const { username, hasCode, here, lastSeenAt } = person
  return (
    <button type="button" onClick={onOpen} className="flex min-h-15 w-full items-center gap-3 px-4 py-2 text-left hover:bg-sunken">
      <span
        aria-hidden="true"
        className="grid size-9 shrink-0 place-items-center rounded-full bg-brand-soft text-small font-bold text-brand-text"
      >
        {username.slice(0, 2).toUpperCase()}
      </span>
      <span className="min-w-0 flex-1 leading-tight">
        <span className="block font-semibold break-words">{username}</span>
        <span className="block text-small text-muted">
          {roleNames(person)} · {here ? 'Here now' : lastSeenAt ? formatDateTime(new Date(lastSeenAt)) : 'Not signed in'}
        </span>
      </span>
      <CodeChip hasCode={hasCode} />
      <ChevronRight className="size-4 shrink-0 text-muted" aria-hidden="true" />
    </button>
  )
}

function CodeChip({ hasCode }: { hasCode: boolean }) {
  return hasCode ? (
    <StateChip tone="done" icon={<ShieldCheck aria-hidden="true" />}>
      Code on
    </StateChip>
  ) : (
    <StateChip tone="pending" icon={<TriangleAlert aria-hidden="true" />}>
      No code
    </StateChip>
  )
}

function NextAct({ people, onInvite }: { people: readonly StaffMember[]; onInvite: () => void }) {
  const movers = people.filter((person) => !person.hasCode && hasRole(person, 'finance'))
  const without = movers[0] ?? people.find((person) => !person.hasCode)
  const note = without ? `${without.username} has no code yet` : 'Everybody signs in with a code'
  const detail = without ? (movers.length > 0 ? 'They move money' : 'They move no money') : undefined
  return (
    <ActBar note={note} detail={detail}>
      <Button icon={<Plus className="size-4.5" aria-hidden="true" />} onClick={onInvite}>
        Invite someone
      </Button>
    </ActBar>
  )
}
