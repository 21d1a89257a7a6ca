import { expect, test } from 'vitest'
import { refuseOurName } from './refuse-our-name.ts'

const refused = (name: string) => {
  try {
    refuseOurName('name', name, 'Dwadi')
    return null
  } catch (error) {
    return (error as { issues?: { path: string }[] }).issues?.[0]?.path ?? String(error)
  }
}

test.each([
  'bit.ly/x',
  'bit .ly/x',
  'Bit. ly',
  'www.dwadi…',
  'WWW dwadi',
  'https://pay here',
  'Cheap data wa.me/233551234567',
  'kofi-data.com.gh',
  'kofi dot com',
  'kofi (dot) com',
  'kofi。com',
  'kofi．com',
  'pay@kofi',
  '*170#',
  'Dial *170# now',
  'Dial ＊170＃',
  '* 713 * 33 #',
  'Call 170#',
  '0551234567',
  'Ama 055 123 4567',
  'Ama +233-55-123-4567',
  'Ama (055) 123.45.67',
  '０５５１２３４５６７',
])('“%s” is a link, a code or a number, and no name of a shop', (name) => {
  expect(refused(name)).toBe('name')
})

test.each([
  'Kofi’s Data',
  'No.1 Data',
  'Shop #1 Madina',
  'St.Mary Bundles',
  'Mr. Kofi & Sons',
  'A.B.C. Ventures',
  'Data 24/7',
  '5* Bundles',
  'Best Data. Come in',
  'Dot’s Data',
  'Class of 2024/2025',
  'Akosua @ Madina',
  'Ohene Data 0551',
])('“%s” is a name of a shop', (name) => {
  expect(refused(name)).toBe(null)
})

test('links of shops are not looked at so: they have letters, digits and hyphens alone', () => {
  expect(() => refuseOurName('slug', 'kofi-2024-2025-1', 'Dwadi')).not.toThrow()
})
