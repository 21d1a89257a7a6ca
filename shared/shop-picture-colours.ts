import type { Network } from './networks.ts'

// Paper in both themes, so that every shared picture of a shop is the same.
export const INK = '#141915'
export const MUTED = '#575d56'
export const PAPER = '#f1eee3'
export const SURFACE = '#fffefb'
export const LINE = '#cfcab8'

export const NETWORK_COLOURS = {
  MTN: '#ffcb05',
  AirtelTigo: '#1f55c4',
  Telecel: '#e21b2d',
  Airtime: '#e2711d',
  AFA: '#0b7a5f',
  'WAEC Checkers': '#6b4bb8',
  'MTN PULSE': '#24251d',
} as const satisfies Record<Network, string>
