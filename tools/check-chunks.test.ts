import { build, type Plugin, type Rolldown } from 'vite'
import { expect, test } from 'vitest'
import { checkChunks } from './check-chunks.ts'

const ROUTER = `globalThis.pages = [() => import('/web/features/store/store-page.js'), () => import('/web/app/admin/admin-page.js')]`

type Groups = NonNullable<Extract<Rolldown.OutputOptions['codeSplitting'], object>['groups']>

function buildOf(files: Record<string, string>, groups: Groups = []) {
  const virtual: Plugin = {
    name: 'virtual-files',
    enforce: 'pre',
    resolveId: (id) => (id in files ? id : null),
    load: (id) => files[id] ?? null,
  }
  return build({
    configFile: false,
    logLevel: 'silent',
    plugins: [virtual, checkChunks()],
    build: {
      write: false,
      rolldownOptions: { input: '/web/main.js', output: { codeSplitting: { groups, includeDependenciesRecursively: false } } },
    },
  })
}

const files = {
  '/web/main.js': ROUTER,
  '/web/features/store/store-page.js': `import { money } from '/web/ui/money.js'; export const store = money`,
  '/web/app/admin/admin-page.js': `import { money } from '/web/ui/money.js'; import { csv } from '/web/ui/admin/csv.js'; export const admin = [money, csv]`,
  '/web/ui/money.js': `export const money = globalThis.money`,
  '/web/ui/admin/csv.js': `export const csv = globalThis.csv`,
}

test('a build whose customers load no admin code goes through', async () => {
  await expect(buildOf(files)).resolves.toBeDefined()
})

test('a build fails when a customer screen imports admin code', async () => {
  const leaking = { ...files, '/web/features/store/store-page.js': `export { csv } from '/web/ui/admin/csv.js'` }
  await expect(buildOf(leaking)).rejects.toThrow('store-page loads admin code: /web/ui/admin/csv.js')
})

test('a build fails when admin code shares a chunk with what a customer screen imports', async () => {
  await expect(buildOf(files, [{ name: 'ui', test: /\/ui\// }])).rejects.toThrow('store-page loads admin code: /web/ui/admin/csv.js')
})

test('a build fails when a customer screen imports a schema', async () => {
  const schema = `import { z } from '/node_modules/zod/index.js'; export const phone = z.string()`
  const zod = { '/node_modules/zod/index.js': 'export const z = globalThis.z', '/shared/fields.js': schema }
  const adminOnly = {
    ...files,
    ...zod,
    '/web/app/admin/admin-page.js': `import { phone } from '/shared/fields.js'; export const admin = phone`,
  }
  await expect(buildOf(adminOnly)).resolves.toBeDefined()
  const leaking = { ...files, ...zod, '/web/ui/money.js': `import { phone } from '/shared/fields.js'; export const money = phone` }
  await expect(buildOf(leaking)).rejects.toThrow('store-page loads schemas')
})

test('a build fails when its chunks import each other', async () => {
  const circular = {
    ...files,
    '/web/ui/money.js': `import { store } from '/web/features/store/store-page.js'; export const money = () => store`,
  }
  const groups = [
    { name: 'store', test: /store-page/ },
    { name: 'money', test: /money/ },
  ]
  await expect(buildOf(circular, groups)).rejects.toThrow('these chunks import each other')
})

test('a build fails when its code starts a worker, which the browser would refuse', async () => {
  const working = { ...files, '/web/ui/money.js': `export const money = new Worker(URL.createObjectURL(new Blob(['1'])))` }
  await expect(buildOf(working)).rejects.toThrow('starts a worker')
})
