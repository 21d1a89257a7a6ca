import { type DefaultError, QueryObserver, type QueryObserverOptions } from '@tanstack/react-query'
import { queryClient } from './query-client.ts'
import type { Subject } from './subject.ts'

const CHANGED = 'This has changed since you were asked, here or elsewhere. Nothing was done. Look at it again.'
/** A list, its rows, their groups and what stands in them. */
const DEEPEST = 5

/** A record is still as it was shown, in these fields, wherever the newest reply has it. What no screen reads any more is not followed. */
export function aboutRecord<T extends { _id: string }>(record: T, ...fields: readonly (keyof T & string)[]): Subject {
  const state = (one: object) => JSON.stringify(fields.map((field) => (one as T)[field]))
  const shown = state(record)
  const asked = Date.now()
  return {
    on: [queryClient.getQueryCache()],
    changed() {
      let newest = asked
      let now = shown
      for (const { state: read } of queryClient.getQueryCache().getAll()) {
        if (read.dataUpdatedAt < newest) continue
        const found = findRecord(read.data, record._id, fields)
        if (!found) continue
        newest = read.dataUpdatedAt
        now = state(found)
      }
      return now === shown ? null : CHANGED
    },
  }
}

/** A reply still says of something what it said when the question was asked. It is followed also where no screen shows it. */
export function aboutReply<T, K extends readonly unknown[]>(
  query: Pick<QueryObserverOptions<T, DefaultError, T, T, K>, 'queryKey' | 'queryFn' | 'refetchInterval'>,
  stateIn: (reply: T) => unknown,
): Subject {
  const read = () => {
    const reply = queryClient.getQueryData<T>(query.queryKey)
    return reply === undefined ? undefined : JSON.stringify(stateIn(reply))
  }
  const shown = read()
  return {
    on: [{ subscribe: (listener) => new QueryObserver(queryClient, { ...query, retry: false }).subscribe(listener) }],
    changed() {
      const now = read()
      return shown === undefined || now === undefined || now === shown ? null : CHANGED
    },
  }
}

function findRecord(data: unknown, id: string, fields: readonly string[], depth = 0): object | null {
  if (typeof data !== 'object' || data === null || depth > DEEPEST) return null
  if ('_id' in data && data._id === id && fields.every((field) => field in data)) return data
  for (const part of Object.values(data)) {
    const found = findRecord(part, id, fields, depth + 1)
    if (found) return found
  }
  return null
}
