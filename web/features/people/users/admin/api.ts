import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { phoneTexts } from '../../../../../shared/search.ts'
import { hasRole, SEES_WALLETS } from '../../../../../shared/staff-rules.ts'
import type { ListedUser, User } from '../../../../../shared/users.ts'
import { callList } from '../../../../lib/api.ts'
import { session } from '../../../../lib/session.ts'
import { useDebounced } from '../../../../lib/use-debounced.ts'

const SUGGESTIONS = 10

/** All users, newest first, with their balances for staff who may see wallets. */
export function usersQuery(filter: Record<string, string | number>) {
  return queryOptions({
    queryKey: ['users', filter],
    queryFn: ({ signal }) => {
      const route = hasRole(session.get() ?? {}, SEES_WALLETS) ? 'GET /user/account-balances' : 'GET /user'
      return callList(route, { query: filter, signal })
    },
  })
}

/**
 * Users whose name, phone number or e-mail contains the typed text, best matches first. A phone number is searched
 * only among phone numbers, since somebody else may have put it into their name.
 */
export function useUserSuggestions(typed: string) {
  const search = useDebounced(typed.trim().toLowerCase(), 200)
  const query = useQuery({
    ...usersQuery({ search, page: 1, pageSize: SUGGESTIONS, ...(phoneTexts(search).length > 0 ? { in: 'phone' } : {}) }),
    enabled: search !== '',
    placeholderData: keepPreviousData,
  })
  const settled = search === typed.trim().toLowerCase() && !query.isPlaceholderData
  const users = search === '' ? [] : (query.data?.rows ?? []).filter(hasWallet)
  return { users: nameFirst(users, search), settled, loading: search !== '' && query.isPending, error: query.error }
}

function hasWallet(user: ListedUser): user is User {
  return user.balance !== undefined
}

/** Sorts suggestions: exact name first, then names that begin with it, names that contain it, and the rest. */
function nameFirst(users: readonly User[], typed: string): User[] {
  const rank = ({ username }: User) => (username === typed ? 0 : username.startsWith(typed) ? 1 : username.includes(typed) ? 2 : 3)
  return users.toSorted((a, b) => rank(a) - rank(b))
}
