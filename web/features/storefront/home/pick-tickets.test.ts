import { describe, expect, it } from 'vitest'
import { NETWORKS, type Network } from '../../../../shared/networks.ts'
import type { Product } from '../../../../shared/products.ts'
import { listNetworks } from './list-networks.ts'
import { pickTickets } from './pick-tickets.ts'

const product = (network: Network, offers: string[], status: Product['status'] = 'available'): Product => ({
  _id: network,
  productId: network,
  network,
  image: '/images/x.webp',
  status,
  packages: offers.map((offer, index) => ({ _id: `${network} ${offer}`, offer, priceCustomer: 10 + index, priceAgent: 9 + index })),
})
const MTN = product('MTN', ['1GB', '2GB', '3GB', '4GB', '5GB', '10 GB', '50GB'])
const figures = (...packageIds: string[]) => ({ ordersDelivered: null, deliveryTimes: [], bestSellers: [{ productId: 'MTN', packageIds }] })
const shown = (...args: Parameters<typeof pickTickets>) =>
  pickTickets(...args).map((tickets) => tickets.map(({ line, popular }) => line.offer + (popular ? '!' : '')))

describe('pickTickets', () => {
  it('shows the usual sizes while nothing is known to sell best', () => {
    expect(shown([MTN], figures())).toEqual([['1GB', '2GB', '5GB', '10 GB']])
    expect(pickTickets([MTN], figures())[0]?.map(({ rank }) => rank)).toEqual([0, 3, 1, 2])
  })

  it('shows best sellers first of all, in the order of the catalogue', () => {
    expect(shown([MTN], figures('MTN 50GB', 'MTN 3GB'))).toEqual([['1GB', '3GB', '5GB', '50GB!']])
  })

  it('shows three products at most, and none that is out of stock or has no price', () => {
    const products = [
      product('AFA', []),
      product('Telecel', ['5GB'], 'out of stock'),
      ...NETWORKS.map((network) => product(network, ['X'])),
    ]
    expect(pickTickets(products, figures()).map(([ticket]) => ticket?.product.network)).toEqual(['MTN', 'AirtelTigo', 'Telecel'])
    expect(pickTickets([], figures())).toEqual([])
  })
})

describe('listNetworks', () => {
  it('has a row per network with its lowest price for the buyer', () => {
    const second = {
      ...product('MTN', ['0.5GB']),
      _id: 'second',
      packages: [{ _id: 'x', offer: '0.5GB', priceCustomer: 3, priceAgent: 2 }],
    }
    expect(listNetworks([MTN, second], 'Customer')).toEqual([{ network: 'MTN', first: '1GB', last: '0.5GB', from: 3 }])
    expect(listNetworks([MTN, second], 'Agent')[0]?.from).toBe(2)
  })

  it('has no price for a network that is out of stock, and no row for one without packages', () => {
    expect(listNetworks([product('AFA', []), product('Telecel', ['5GB'], 'out of stock')], undefined)).toEqual([
      { network: 'Telecel', first: '5GB', last: '5GB', from: null },
    ])
  })
})
