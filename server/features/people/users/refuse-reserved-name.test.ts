import { describe, expect, test } from 'vitest'
import { seemsSomebodyElses } from './refuse-reserved-name.ts'

const HONEST =
  `Akosua Data, Kofi Mensah Bundles, Ama Serwaa Ventures, Nana Yaw Data Hub, Kwame Connect, Adwoa's Corner, Yaa Asantewaa Net, Efua Digital,
  Kojo Fast Data, Abena Online Shop, Esi Data Plug, Kwabena Tech, Akua Bundles Kumasi, Madina Data Point, Osu Internet Cafe, Tema Data Spot,
  Tamale Bundles, Cape Coast Connect, Ho Data Hub, Sunyani Net Shop, Legon Campus Data, KNUST Data Plug, UCC Bundles, Bantama Data,
  Kejetia Bundles, Makola Airtime, God is Good Data, Blessed Hands Ventures, Grace Data Services, Jesus Loves Data, Nyame Bekyere Data,
  Onyame Adom Bundles, Emmanuel Data Store, Divine Data, Favour Bundles, Peace Online, Prince Data Ghana, Queen Esther Data, King Solomon Net,
  Big Joe Data, Quick Bundles GH, Fast Lane Data, Swift Data, Cheap Data GH, Budget Bundles, Data Palace, Data King, Data Mama, Bundle Boss,
  Bundle Bae, MegaByte Ghana, GigaZone, Star Data, Sunshine Bundles, Kumasi MTN Bundles by Yaw, Akosua at Dwadi, Dadi Data, Daddy Cool Data,
  Momoh Ventures, Access Data Hub, Zenith Bundles, Fidelis Data, Glory Data, Atta Data, Visabel Ventures, Hubert Data, Stan's Data, Republic Data`
    .split(',')
    .map((name) => name.trim())

describe('a name that could be taken for somebody else', () => {
  test.each([
    [
      'Dwadi',
      'Dwadii',
      'Dwaadi',
      'DWADI',
      'Dwad1',
      'The real Dwadi',
      'Real Dwadi GH',
      'Dwadi Official',
      'Dwadi Ghana',
      'Dwadi 24',
      'D w a d i',
    ],
    ['Dwadi Data Shop', 'Dwady', 'Dwadie', 'dwadi-gh', 'Dwàdi', 'Original Dwadi Bundles', 'New Dwadi', 'clwadi', 'My Dwadi Store'],
    [
      'MTN',
      'MTN Ghana',
      'mtn-gh',
      'M.T.N',
      'MTNN',
      'The real MTN',
      'MTN MoMo',
      'MTN Data',
      'MTN Customer Care',
      'Telecel',
      'Telecell',
      'Te1ecel Cash',
    ],
    ['AirtelTigo', 'Airtel Tigo Ghana', 'AT Money', 'Vodafone Cash', 'Mobile Money', 'MoMo Agent', 'MoMo Pay'],
    [
      'Paystack',
      'Pay stack',
      'Paystak',
      'Paystackk',
      'P4ystack',
      'Hubtel',
      'Hubtell Payments',
      'WhatsApp Support',
      'Visa',
      'Ecobank Ghana',
    ],
    ['GCB Bank', 'Fidelity Bank', 'Stanbic', 'Bank of Ghana', 'Absa', 'Ghana Card', 'WAEC'],
  ])('is refused: %s, %s, %s, …', (...names) => {
    expect(names.filter((name) => !seemsSomebodyElses(name, 'Dwadi'))).toEqual([])
  })

  test(`is none of ${HONEST.length} honest names`, () => {
    expect(HONEST.length).toBeGreaterThanOrEqual(60)
    expect(HONEST.filter((name) => seemsSomebodyElses(name, 'Dwadi'))).toEqual([])
  })

  test('follows the name that the shop has now', () => {
    expect(['Sika Data', 'The real Sikka', 'Dwadi'].map((name) => seemsSomebodyElses(name, 'Sika Data'))).toEqual([true, true, false])
  })
})
