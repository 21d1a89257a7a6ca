import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { Users } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { spacedPhone } from '../../../../../shared/phones.ts'
import { hasRole, SEES_WALLETS } from '../../../../../shared/staff-rules.ts'
import { type ListedUser, USER_LEVELS, USER_STATUSES, type User, type UserLevel, type UserStatus } from '../../../../../shared/users.ts'
import { call } from '../../../../lib/api.ts'
import { messageOf } from '../../../../lib/http.ts'
import { refreshSoon, replaceInLists } from '../../../../lib/query-client.ts'
import { session } from '../../../../lib/session.ts'
import { CHANGED, noteOwnChange, useChangedRows } from '../../../../ui/admin/changed-rows.ts'
import { RefreshProblem } from '../../../../ui/admin/refresh-problem.tsx'
import { classNames } from '../../../../ui/class-names.ts'
import { confirmAction } from '../../../../ui/confirm-action.ts'
import { type Column, DataTable } from '../../../../ui/data-table.tsx'
import { Detail, Details } from '../../../../ui/details.tsx'
import { EmptyState } from '../../../../ui/empty-state.tsx'
import { controlClass, SelectControl } from '../../../../ui/field.tsx'
import { Money } from '../../../../ui/money.tsx'
import { LoadError } from '../../../../ui/notice-box.tsx'
import { toast } from '../../../../ui/toast.ts'
import { useLastPage, useListState } from '../../../../ui/use-list-state.ts'
import { withPassword } from '../../../../ui/with-password.tsx'
import { changeLevel } from '../api.ts'
import { usersQuery } from './api.ts'

const NO_FILTERS = {}
const versionOf = (user: ListedUser) => `${user.userLevel} ${user.status} ${user.balance} ${user.totalPurchase}`

const WALLET_COLUMNS: Column<ListedUser>[] = [
  { key: 'purchase', header: 'Total Purchase', align: 'right', cell: (user) => <Money cedis={user.totalPurchase ?? 0} /> },
  { key: 'balance', header: 'Wallet Balance', align: 'right', cell: (user) => <Money cedis={user.balance ?? 0} /> },
]

async function changeStatus(userId: string, status: UserStatus): Promise<User> {
  const { user } = await call('PUT /user/:id/status', { params: { id: userId }, body: { status } })
  return user
}

/** Every user, whose level and status an admin may change. */
export function UsersTable() {
  const client = useQueryClient()
  const self = session.use()
  const seesWallets = hasRole(self ?? {}, SEES_WALLETS)
  const maySetLevel = hasRole(self ?? {}, 'owner')
  const maySetStatus = hasRole(self ?? {}, 'support')
  const list = useListState(NO_FILTERS)
  const { data, isPlaceholderData, error, refetch } = useQuery({ ...usersQuery(list.query), placeholderData: keepPreviousData })
  useLastPage(isPlaceholderData ? undefined : data, list)
  const changed = useChangedRows(isPlaceholderData ? undefined : data?.rows, versionOf, JSON.stringify(list.query))
  const [busy, setBusy] = useState<ReadonlySet<string>>(new Set())

  const change = async (user: ListedUser, act: () => Promise<User>, done: string) => {
    setBusy((others) => new Set([...others, user._id]))
    noteOwnChange(user._id)
    try {
      replaceInLists(['users'], await act())
      toast.success(done)
    } catch (failure) {
      toast.danger(messageOf(failure))
    } finally {
      setBusy((others) => new Set([...others].filter((id) => id !== user._id)))
      refreshSoon(['users'], ['admin-actions'])
    }
  }
  /** The user may have changed while the question was open; then nothing is changed. */
  const isStillSo = (user: ListedUser, field: 'userLevel' | 'status') => {
    const now = client.getQueryData(usersQuery(list.query).queryKey)?.rows.find((row) => row._id === user._id)
    if (!now || now[field] === user[field]) return true
    toast.danger(`Somebody has just made ${user.username} ${now[field]}. Nothing was changed.`)
    return false
  }
  const setLevel = async (user: ListedUser, level: UserLevel) => {
    const yes = await confirmAction({
      question: `Are you sure you want to change ${user.username}'s level from ${user.userLevel} to ${level}?`,
      title: 'Change level',
      danger: level === 'Admin' || user.userLevel === 'Admin',
      details: (
        <WhoseAccount
          user={user}
          remark={
            level === 'Admin'
              ? 'An admin is an owner of the shop, who can move money and change everything. Staff can have narrower roles.'
              : null
          }
        />
      ),
    })
    if (yes && isStillSo(user, 'userLevel'))
      await change(user, () => withPassword(() => changeLevel(user._id, level)), 'User level updated successfully')
  }
  const setStatus = async (user: ListedUser, status: UserStatus) => {
    const banning = status === 'Banned'
    const yes = await confirmAction({
      question: `Are you sure you want to change ${user.username}'s status from ${user.status} to ${status}?`,
      title: 'Change status',
      danger: banning,
      details: <WhoseAccount user={user} remark={banning ? 'A banned user is signed out at once and can’t log in.' : null} />,
    })
    if (yes && isStillSo(user, 'status')) await change(user, () => changeStatus(user._id, status), 'User status updated successfully')
  }

  const levelSelect = (user: ListedUser) => (
    <RowSelect
      label={`Level of ${user.username}`}
      value={user.userLevel}
      options={USER_LEVELS}
      disabled={!maySetLevel || busy.has(user._id)}
      onValue={(level) => void setLevel(user, level)}
    />
  )
  const statusSelect = (user: ListedUser) => (
    <RowSelect
      label={`Status of ${user.username}`}
      value={user.status}
      options={USER_STATUSES}
      disabled={!maySetStatus || busy.has(user._id) || user._id === self?._id}
      danger={user.status === 'Banned'}
      onValue={(status) => void setStatus(user, status)}
    />
  )
  const numbers = new Map(data?.rows.map((user, index) => [user._id, (list.table.page - 1) * list.table.pageSize + index + 1]))
  const columns: Column<ListedUser>[] = [
    { key: 'number', header: '#', cell: (user) => <span className="tabular text-muted">{numbers.get(user._id)}</span> },
    { key: 'username', header: 'Username', cell: (user) => <span className="font-medium">{user.username}</span> },
    { key: 'phone', header: 'Phone Number', cell: (user) => <span className="tabular whitespace-nowrap">{spacedPhone(user.phone)}</span> },
    { key: 'email', header: 'Email', cell: (user) => <span className="block max-w-60 break-words">{user.email}</span> },
    { key: 'level', header: 'Level', cell: levelSelect },
    ...(seesWallets ? WALLET_COLUMNS : []),
    { key: 'status', header: 'Status', cell: statusSelect },
  ]

  return (
    <div>
      <h2 className="pb-3 text-title">Users</h2>
      {data && <RefreshProblem error={error} onRetry={() => void refetch()} />}
      {error && !data ? (
        <LoadError what="The users" error={error} onRetry={() => void refetch()} />
      ) : (
        <DataTable
          caption="Users"
          columns={columns}
          rows={data?.rows}
          rowKey={(user) => user._id}
          total={data?.total ?? 0}
          more={data?.more}
          state={list.table}
          onState={list.setTable}
          stale={isPlaceholderData}
          searchLabel="Search users"
          wideFrom="(min-width: 64rem)"
          dense
          rowClass={(user) => (changed.has(user._id) ? CHANGED : undefined)}
          card={(user) => <UserCard user={user} level={levelSelect(user)} status={statusSelect(user)} />}
          empty={<EmptyState icon={<Users />} title="No users yet" />}
        />
      )}
    </div>
  )
}

type SelectProps<V extends string> = {
  label: string
  value: V
  options: readonly V[]
  disabled: boolean
  danger?: boolean
  onValue: (value: V) => void
}

/** Shows the stored value. A choice only asks; the select changes once the server has confirmed. */
function RowSelect<V extends string>({ label, value, options, disabled, danger, onValue }: SelectProps<V>) {
  const id = useId()
  return (
    <div className="min-w-0 lg:min-w-30">
      <label htmlFor={id} className="sr-only">
        {label}
      </label>
      <SelectControl
        id={id}
        value={value}
        disabled={disabled}
        onChange={(event) => onValue(event.currentTarget.value as V)}
        className={classNames(
          controlClass,
          'min-h-11! text-body! max-lg:text-large!',
          danger && 'border-danger! font-semibold text-danger!',
        )}
      >
        {options.map((option) => (
          <option key={option} value={option} className="text-ink">
            {option}
          </option>
        ))}
      </SelectControl>
    </div>
  )
}

function UserCard({ user, level, status }: { user: ListedUser; level: ReactNode; status: ReactNode }) {
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-baseline justify-between gap-x-3">
        <span className="min-w-0 text-large font-semibold break-words">{user.username}</span>
        {user.balance !== undefined && <Money cedis={user.balance} className="text-large" />}
      </div>
      <div className="text-small text-muted">
        <p className="flex flex-wrap justify-between gap-x-3">
          <span className="tabular">{spacedPhone(user.phone)}</span>
          {user.totalPurchase !== undefined && (
            <span>
              Bought <Money cedis={user.totalPurchase} />
            </span>
          )}
        </p>
        <p className="break-all">{user.email}</p>
      </div>
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(7rem,100%),1fr))] gap-2">
        {level}
        {status}
      </div>
    </div>
  )
}

function WhoseAccount({ user, remark }: { user: ListedUser; remark: string | null }) {
  return (
    <>
      <Details>
        <Detail name="Phone">{spacedPhone(user.phone)}</Detail>
        <Detail name="Email">{user.email}</Detail>
        {user.balance !== undefined && (
          <Detail name="Balance">
            <Money cedis={user.balance} />
          </Detail>
        )}
      </Details>
      {remark && <p className="mt-3 text-body text-muted">{remark}</p>}
    </>
  )
}
