// biome-ignore lint/performance/noBarrelFile: it stands in for a package's module of that shape.
export { useSyncExternalStore } from 'react'
