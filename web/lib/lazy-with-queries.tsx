import { type ComponentType, lazy } from 'react'

/**
 * A screen or dialog that asks the server, loaded when it is needed, together with the query cache: the home page and
 * the sign-in screens do without that, and their visitors are spared its bytes.
 */
export function lazyWithQueries<Props extends object>(load: () => Promise<{ default: ComponentType<Props> }>) {
  return lazy(async () => {
    const [{ QueryProvider }, { default: Inner }] = await Promise.all([import('./query-provider.tsx'), load()])
    return {
      default: (props: Props) => (
        <QueryProvider>
          <Inner {...props} />
        </QueryProvider>
      ),
    }
  })
}
