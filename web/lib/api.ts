import type { Routes } from '../../shared/api.ts'
import type { Part, Reply, Schema } from '../../shared/endpoint.ts'
import { type Options, request, requestFile, requestList } from './http.ts'

// Only types come from the declarations, so that no schema reaches a page.
type Route = keyof Routes
type RouteWith<Shape> = { [R in Route]: Routes[R] extends Shape ? R : never }[Route]
type ListRoute = RouteWith<{ list: true }>
type FileRoute = RouteWith<{ reply: 'csv' }>

/** Query values come from the address bar and form fields, so only their names are checked here; empty ones are left out. */
type Sent<E, P extends keyof E> = P extends 'query' ? { [N in keyof Input<E[P]>]: string | number | undefined } : Input<E[P]>
/** What has no property that must be sent. */
type None = Record<never, never>
type Input<S> = S extends Schema ? S['_zod']['input'] : never
type Parts<E> = { [P in Part & keyof E as None extends Sent<E, P> ? P : never]?: Sent<E, P> } & {
  [P in Part & keyof E as None extends Sent<E, P> ? never : P]: Sent<E, P>
}
type Arguments<R extends Route> = None extends Parts<Routes[R]> ? [sent?: Parts<Routes[R]> & Options] : [sent: Parts<Routes[R]> & Options]

/** Calls an endpoint of the shop. @throws RefusedError with the shop's answer, or NoReplyError. */
export function call<R extends Exclude<Route, ListRoute | FileRoute>>(route: R, ...[sent]: Arguments<R>): Promise<Reply<Routes[R]>> {
  return request(...target(route, sent), sent) as Promise<Reply<Routes[R]>>
}

/** One page of a list, and how many records match in all. */
export function callList<R extends ListRoute>(route: R, ...[sent]: Arguments<R>): Promise<Reply<Routes[R]>> {
  return requestList(...target(route, sent), sent) as Promise<Reply<Routes[R]>>
}

/** A file, and the name that the shop gives it. */
export function callFile<R extends FileRoute>(route: R, ...[sent]: Arguments<R>) {
  return requestFile(...target(route, sent), sent)
}

function target(route: string, sent: Options & { params?: Record<string, string> } = {}): [method: string, path: string] {
  const [method = '', path = ''] = route.split(' ')
  return [method, path.replace(/:(\w+)/g, (_, name) => encodeURIComponent(sent.params?.[name] ?? ''))]
}
