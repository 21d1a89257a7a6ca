import type { Product } from '../../shared/products.ts'
import { PASSWORD } from './open-shop.ts'
import { expect, test, toastOf } from './shop.ts'

test(
  'an agent invites a customer, who signs in at the link, joins, opens a shop that guests see, and leaves',
  {
    tag: '@long',
  },
  async ({ page, shop, browserOf, troubles }, info) => {
    const look = async (of: typeof page, name: string) => {
      for (const width of [360, 1440]) {
        await of.setViewportSize({ width, height: 800 })
        expect(await of.evaluate(() => document.documentElement.scrollWidth - innerWidth), `${name} fits at ${width}`).toBeLessThanOrEqual(
          0,
        )
        await of.screenshot({ path: info.outputPath(`${name}-${width}.png`), fullPage: true })
      }
      await of.setViewportSize({ width: 360, height: 740 })
    }
    const owner = await browserOf(shop.admin)
    await shop.call('PUT', '/agent-shops/rules', { as: shop.admin, body: { newShops: true } })
    const account = await shop.makeUser({ level: 'Agent' })
    const agent = await browserOf(account)
    await shop.call('POST', '/my-shop', {
      as: account,
      body: { slug: 'above', name: 'Above Data', about: null, colour: 'plum', phone: null, whatsapp: null },
    })
    await agent.goto('/agent/shop')
    await expect(agent.getByRole('button', { name: 'Save Changes' }).first()).toBeVisible()
    await expect(agent.getByRole('link', { name: /^Sub-agents/ })).toHaveCount(0)

    await owner.setViewportSize({ width: 1440, height: 900 })
    await owner.goto('/admin/shops')
    await owner.getByRole('switch', { name: 'Agents may have sub-agents' }).click()
    await expect(toastOf(owner, 'The rules were saved.')).toBeVisible()

    await agent.reload()
    await agent.getByRole('link', { name: /^Sub-agents/ }).click()
    await expect(agent.getByText('Nobody yet')).toBeVisible()
    await agent.getByRole('button', { name: 'Make a link' }).click()
    await expect(toastOf(agent, 'The link is ready. Send it to one person.')).toBeVisible()
    const mtn = (await shop.call<Product[]>('GET', '/product')).find(({ network }) => network === 'MTN')
    const cost = mtn?.packages.find(({ offer }) => offer === '1GB')?.priceAgent ?? 0
    const price = agent.getByLabel('Sub-agents pay, MTN 1GB', { exact: true })
    await price.fill('0.10')
    await expect(agent.getByRole('button', { name: /^Mend MTN 1GB/ })).toBeDisabled()
    await price.fill((cost + 0.2).toFixed(2))
    await agent.reload()
    await expect(price).toHaveValue((cost + 0.2).toFixed(2))
    await expect(agent.getByText('1 change, not saved yet')).toBeVisible()
    await agent.getByRole('button', { name: 'Save prices' }).click()
    await expect(toastOf(agent, 'Saved. Sub-agents pay this from now on.')).toBeVisible()
    await look(agent, 'sub-agents')
    const link = (await agent.getByText(/\/join\/[a-z2-9]{24}$/).textContent()) ?? ''
    const path = link.slice(link.indexOf('/join/'))

    const customer = await shop.makeUser()
    await page.goto(path)
    await expect(page).toHaveURL(/\/login\?redirect=/)
    await page.getByLabel('Phone number').fill(customer.phone)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Login' }).click()
    await page
      .getByRole('button', { name: 'I understand' })
      .click({ timeout: 3_000 })
      .catch(() => undefined)
    await expect(page.getByRole('heading', { level: 1, name: `Sell under ${account.username}` })).toBeVisible()
    await expect(page.getByText('MTN 1GB', { exact: true })).toBeVisible()
    await look(page, 'join')
    await page.getByRole('button', { name: 'Agree' }).click()
    await expect(page).toHaveURL(/\/agent\/shop$/)
    await expect(page.getByText(`You sell under ${account.username}`)).toBeVisible()
    await page.getByLabel('Shop name').fill('Below Data')
    await page.getByRole('textbox', { name: 'Link' }).fill('below')
    await page.getByRole('button', { name: 'Open my shop' }).click()
    await expect(toastOf(page, 'Your shop is open. Share its link.')).toBeVisible()
    await expect(
      page
        .getByText(`Cost ${(cost + 0.2).toFixed(2)}`)
        .or(page.getByText(`cost ¢${(cost + 0.2).toFixed(2)}`))
        .first(),
    ).toBeVisible()
    await look(page, 'my-shop')
    await page.goto('/agent/bulk')
    await expect(page).toHaveURL(/\/user\/history$/)
    await page.getByRole('link', { name: 'Earnings' }).click()
    await expect(page).toHaveURL(/\/agent\/earnings$/)
    const otherPhone = await browserOf(customer)
    await otherPhone.goto('/user/history')
    await otherPhone.getByRole('link', { name: 'Today' }).click()
    await expect(otherPhone.getByText('Nothing sold yet')).toBeVisible()
    await expect(otherPhone.getByRole('link', { name: 'Write a list' })).toHaveCount(0)
    await look(otherPhone, 'today')

    const guest = await browserOf(null)
    await guest.goto('/s/below')
    await expect(guest.locator('#mtn').getByRole('button').first()).toBeVisible()

    await agent.reload()
    await expect(agent.getByText('Below Data')).toBeVisible()
    await expect(agent.getByText('No link is open.')).toBeVisible()
    await owner.reload()
    await expect(owner.getByText('Sells under')).toBeVisible()
    await look(owner, 'owner')
    await owner.getByRole('switch', { name: 'Agents may have sub-agents' }).click()
    await expect(
      owner.getByRole('alertdialog', { name: 'Close 1 sub-agent’s shop?' }).or(owner.getByText('Close 1 sub-agent’s shop?')),
    ).toBeVisible()
    await owner.getByRole('button', { name: 'No' }).click()
    await expect(owner.getByRole('switch', { name: 'Agents may have sub-agents' })).toBeChecked()

    await agent.getByRole('switch', { name: 'Sub-agents’ shops sell' }).click()
    await agent.getByRole('button', { name: 'Yes, stop them' }).click()
    await expect(toastOf(agent, 'Your sub-agents’ shops are closed.')).toBeVisible()
    await guest.reload()
    await expect(guest.getByText('This shop is closed at the moment. Please come back later.')).toBeVisible()

    await page.goto('/agent/shop')
    await page.getByRole('button', { name: 'Leave' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Leave' }).click()
    await expect(page.getByText(`You sell under ${account.username}`)).toHaveCount(0)

    const late = await browserOf(await shop.makeUser())
    troubles.expect(/404/)
    await late.goto(path)
    await expect(late.getByText('This link has ended')).toBeVisible()
  },
)
