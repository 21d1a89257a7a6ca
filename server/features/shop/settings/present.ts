import { NETWORKS, type Network } from '../../../../shared/networks.ts'
import type { Route, Settings } from '../../../../shared/settings.ts'
import type { SettingsRow } from './settings.sql.ts'

export function presentSettings({ supplierRoutes, ...rest }: SettingsRow): Settings {
  const routes = Object.fromEntries(NETWORKS.map((network) => [network, supplierRoutes[network] ?? 'by-hand']))
  return { routes: routes as Record<Network, Route>, ...rest }
}

export function toRow({ routes, ...rest }: Settings): SettingsRow {
  return { supplierRoutes: Object.fromEntries(Object.entries(routes).filter(([, route]) => route !== 'by-hand')), ...rest }
}
