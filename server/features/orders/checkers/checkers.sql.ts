import type { Queryable, Tx } from '../../../platform/db.ts'

const STOCK = 'c.order_id is null and c.voided_at is null and c.taken_back_at is null'

export type KindRow = {
  kind: string
  name: string
  portal: string
  lowStock: number
  inStock: number
  valuePesewas: number
  sold: number
  soldWeek: number
  replaced: number
}

/** Every kind with its stock; amounts in pesewas. */
export async function selectKinds(db: Queryable, weekAgo: Date): Promise<KindRow[]> {
  const { rows } = await db.query<KindRow>(
    `select k.kind, k.name, k.portal, k.low_stock as "lowStock", count(c.id) filter (where ${STOCK})::integer as "inStock",
       coalesce(sum(c.unit_cost_pesewas) filter (where ${STOCK}), 0)::bigint as "valuePesewas",
       count(c.order_id)::integer as sold, count(c.order_id) filter (where c.sold_at >= $1)::integer as "soldWeek",
       count(c.id) filter (where c.replaces_id is not null)::integer as replaced
     from checker_kinds k left join checker_codes c on c.kind = k.kind
     group by k.kind order by k.name`,
    [weekAgo],
  )
  return rows
}

export type PackageRow = { productId: string; offer: string; hidden: boolean; kind: string | null; units: number }

/** The packages of the products of checkers, and the kind that each is sold from. */
export async function selectPackages(db: Queryable): Promise<PackageRow[]> {
  const { rows } = await db.query<PackageRow>(
    `select p.id as "productId", k.offer, k.hidden, m.kind, coalesce(m.units, 1)::integer as units
     from products p join packages k on k.product_id = p.id
       left join checker_packages m on m.product_id = p.id and m.offer = k.offer
     where p.network = 'WAEC Checkers' order by p.seq, k.position, k.offer`,
  )
  return rows
}

export type ImportRow = {
  id: string
  seq: number
  kind: string
  distributor: string
  fileName: string
  unitCostPesewas: number
  codes: number
  sold: number
  voided: number
  importedBy: string | null
  importedAt: Date
  takenBackAt: Date | null
}

/** The newest hundred. */
export async function selectImports(db: Queryable): Promise<ImportRow[]> {
  const { rows } = await db.query<ImportRow>(
    `select i.id, i.seq, i.kind, i.distributor, i.file_name as "fileName", i.unit_cost_pesewas as "unitCostPesewas", i.codes,
       (select count(c.order_id)::integer from checker_codes c where c.import_id = i.id) as sold,
       (select count(*)::integer from checker_codes c where c.import_id = i.id and c.order_id is null and c.voided_at is not null) as voided,
       u.username as "importedBy", i.imported_at as "importedAt", i.taken_back_at as "takenBackAt"
     from (select * from checker_imports order by seq desc limit 100) i left join users u on u.id = i.imported_by order by i.seq desc`,
  )
  return rows
}

export async function selectSealedKey(db: Queryable): Promise<Buffer | null> {
  const { rows } = await db.query<{ sealed: Buffer }>('select sealed_key as sealed from checker_vault')
  return rows[0]?.sealed ?? null
}

/** Keeps the first key that is given; whoever comes second gets that one. */
export async function ensureSealedKey(db: Queryable, sealed: Buffer): Promise<Buffer> {
  await db.query('insert into checker_vault (sealed_key) values ($1) on conflict do nothing', [sealed])
  return (await selectSealedKey(db)) as Buffer
}

/** Whether anything is, or was, sold from the stock: then the shop needs its key. */
export async function isVaultUsed(db: Queryable): Promise<boolean> {
  const { rows } = await db.query<{ used: boolean }>(
    'select exists (select from checker_codes where taken_back_at is null) or exists (select from checker_packages) as used',
  )
  return rows[0]?.used ?? false
}

export async function existsKind(db: Queryable, kind: string): Promise<boolean> {
  const { rowCount } = await db.query('select from checker_kinds where kind = $1', [kind])
  return rowCount === 1
}

export type Known = { place: number; sold: boolean }

/** Which of these are in the stock or were sold from it, by their place from 1. */
export async function selectKnown(db: Queryable, kind: string, serials: Buffer[], pins: (Buffer | null)[]): Promise<Known[]> {
  const { rows } = await db.query<Known>(
    `select asked.place::integer as place, bool_or(c.order_id is not null) as sold
     from unnest($2::bytea[], $3::bytea[]) with ordinality as asked (serial, pin, place)
     join checker_codes c on c.kind = $1 and c.taken_back_at is null and (c.serial_hash = asked.serial or c.pin_hash = asked.pin)
     group by asked.place`,
    [kind, serials, pins],
  )
  return rows
}

export type NewImport = {
  kind: string
  distributor: string
  fileName: string
  unitCostPesewas: number
  importedBy: string | null
  now: Date
}
export type NewCode = { serialHash: Buffer; pinHash: Buffer | null; sealed: Buffer; tail: string }

export async function insertImport(tx: Tx, made: NewImport, codes: readonly NewCode[]): Promise<{ id: string; seq: number }> {
  const { rows } = await tx.query<{ id: string; seq: number }>(
    `insert into checker_imports (kind, distributor, file_name, unit_cost_pesewas, codes, imported_by, imported_at)
     values ($1, $2, $3, $4, $5, $6, $7) returning id, seq`,
    [made.kind, made.distributor, made.fileName, made.unitCostPesewas, codes.length, made.importedBy, made.now],
  )
  const [row] = rows as [{ id: string; seq: number }]
  await tx.query(
    `insert into checker_codes (import_id, kind, serial_hash, pin_hash, sealed, tail, unit_cost_pesewas)
     select $1, $2, code.serial, code.pin, code.sealed, code.tail, $3
     from unnest($4::bytea[], $5::bytea[], $6::bytea[], $7::text[]) with ordinality as code (serial, pin, sealed, tail, place) order by place`,
    [
      row.id,
      made.kind,
      made.unitCostPesewas,
      codes.map(({ serialHash }) => serialHash),
      codes.map(({ pinHash }) => pinHash),
      codes.map(({ sealed }) => sealed),
      codes.map(({ tail }) => tail),
    ],
  )
  return row
}

/** An import and its codes, locked until the transaction ends: what is being bought at this moment is waited for. */
export async function lockImport(
  tx: Tx,
  id: string,
): Promise<{
  seq: number
  kind: string
  distributor: string
  takenBackAt: Date | null
  codes: number
  sold: number
  voided: number
  costPesewas: number
} | null> {
  const { rows } = await tx.query<{ seq: number; kind: string; distributor: string; takenBackAt: Date | null }>(
    'select seq, kind, distributor, taken_back_at as "takenBackAt" from checker_imports where id = $1 for update',
    [id],
  )
  if (!rows[0]) return null
  await tx.query('select from checker_codes where import_id = $1 order by id for update', [id])
  const { rows: sums } = await tx.query<{ codes: number; sold: number; voided: number; costPesewas: number }>(
    `select count(*)::integer as codes, count(order_id)::integer as sold, count(*) filter (where voided_at is not null)::integer as voided, sum(unit_cost_pesewas)::bigint as "costPesewas"
     from checker_codes where import_id = $1`,
    [id],
  )
  return { ...rows[0], ...(sums[0] as { codes: number; sold: number; voided: number; costPesewas: number }) }
}

export type ListedCodeRow = {
  id: number
  tail: string
  soldTo: number | null
  takenBackAt: Date | null
  voidedAt: Date | null
  voidedBy: string | null
  voidReason: string | null
}

/** The codes of an import, in the order of the file; `tail` alone those whose serial ends so. */
export async function selectCodesOfImport(
  db: Queryable,
  id: string,
  { tail, limit, offset }: { tail: string | null; limit: number; offset: number },
): Promise<{ rows: ListedCodeRow[]; total: number } | null> {
  const found = await db.query<{ total: number }>(
    `select (select count(*) from checker_codes c where c.import_id = i.id and ($2::text is null or right(c.tail, length($2)) = $2)) as total
     from checker_imports i where i.id = $1`,
    [id, tail],
  )
  if (!found.rows[0]) return null
  const { rows } = await db.query<ListedCodeRow>(
    `select c.id, c.tail, o.seq as "soldTo", c.taken_back_at as "takenBackAt", c.voided_at as "voidedAt", u.username as "voidedBy",
       c.void_reason as "voidReason"
     from checker_codes c left join orders o on o.id = c.order_id left join users u on u.id = c.voided_by
     where c.import_id = $1 and ($2::text is null or right(c.tail, length($2)) = $2) order by c.id limit $3 offset $4`,
    [id, tail, limit, offset],
  )
  return { rows, total: found.rows[0].total }
}

type LockedCode = {
  kind: string
  name: string
  tail: string
  importSeq: number
  costPesewas: number
  isSold: boolean
  takenBackAt: Date | null
  voidedAt: Date | null
}

/** A code, locked until the transaction ends: a purchase that takes it at this moment is waited for, and later ones pass it by. */
export async function lockCode(tx: Tx, id: number): Promise<LockedCode | null> {
  await tx.query('select from checker_codes where id = $1 for update', [id])
  const { rows } = await tx.query<LockedCode>(
    `select c.kind, k.name, c.tail, i.seq as "importSeq", c.unit_cost_pesewas as "costPesewas", c.order_id is not null as "isSold",
       c.taken_back_at as "takenBackAt", c.voided_at as "voidedAt"
     from checker_codes c join checker_kinds k on k.kind = c.kind join checker_imports i on i.id = c.import_id where c.id = $1`,
    [id],
  )
  return rows[0] ?? null
}

export async function markVoided(tx: Tx, id: number, { reason, by, now }: { reason: string; by: string; now: Date }) {
  await tx.query('update checker_codes set voided_at = $2, voided_by = $3, void_reason = $4 where id = $1', [id, now, by, reason])
}

export async function markTakenBack(tx: Tx, id: string, by: string | null, now: Date) {
  await tx.query('update checker_imports set taken_back_at = $2, taken_back_by = $3 where id = $1', [id, now, by])
  await tx.query('update checker_codes set taken_back_at = $2 where import_id = $1', [id, now])
}

/** Imports that the sandbox made for its first start. */
export async function selectSampleImports(tx: Tx): Promise<string[]> {
  const { rows } = await tx.query<{ id: string }>(
    `select id from checker_imports where imported_by is null and distributor = 'Sample' and taken_back_at is null order by seq`,
  )
  return rows.map(({ id }) => id)
}

/** Forgets the vault's key, and which packages are sold from it, unless there are codes in it. */
export async function deleteEmptyVault(tx: Tx): Promise<void> {
  const { rowCount } = await tx.query('select from checker_codes where taken_back_at is null limit 1')
  if (rowCount !== 0) return
  await tx.query('delete from checker_packages')
  await tx.query('delete from checker_vault')
}

export type KindFacts = { name: string; portal: string; lowStock: number }

export async function lockKind(tx: Tx, kind: string): Promise<KindFacts | null> {
  const { rows } = await tx.query<KindFacts>('select name, portal, low_stock as "lowStock" from checker_kinds where kind = $1 for update', [
    kind,
  ])
  return rows[0] ?? null
}

export async function updateKind(tx: Tx, kind: string, { name, portal, lowStock }: KindFacts) {
  await tx.query('update checker_kinds set name = $2, portal = $3, low_stock = $4 where kind = $1', [kind, name, portal, lowStock])
}

export async function upsertPackage(tx: Tx, line: { productId: string; offer: string; kind: string | null; units: number }) {
  if (line.kind === null) {
    await tx.query('delete from checker_packages where product_id = $1 and offer = $2', [line.productId, line.offer])
    return
  }
  await tx.query(
    `insert into checker_packages (product_id, offer, kind, units) values ($1, $2, $3, $4)
     on conflict (product_id, offer) do update set kind = excluded.kind, units = excluded.units`,
    [line.productId, line.offer, line.kind, line.units],
  )
}

export type CodeRow = {
  id: number
  kind: string
  name: string
  portal: string
  sealed: Buffer
  tail: string
  soldAt: Date
  replacesId: number | null
  fault: string | null
}

const CODE = `c.id, c.kind, k.name, k.portal, c.sealed, c.tail, c.sold_at as "soldAt", c.replaces_id as "replacesId", c.void_reason as fault`

/** The codes of an order, in the order in which they were given. */
export async function selectCodesOf(db: Queryable, orderId: string): Promise<CodeRow[]> {
  const { rows } = await db.query<CodeRow>(
    `select ${CODE} from checker_codes c join checker_kinds k on k.kind = c.kind where c.order_id = $1 order by c.n`,
    [orderId],
  )
  return rows
}

/** The order that has a code, and the agent's shop that sold it. */
type SoldFor = { orderSeq: number; isRefunded: boolean; soldBy: string | null }

export async function selectCode(db: Queryable, id: number): Promise<(CodeRow & SoldFor) | null> {
  const { rows } = await db.query<CodeRow & SoldFor>(
    `select ${CODE}, o.seq as "orderSeq", o.status = 'rejected' as "isRefunded",
       (select a.name from agent_shops a where a.id = o.shop_id) as "soldBy"
     from checker_codes c join checker_kinds k on k.kind = c.kind join orders o on o.id = c.order_id where c.id = $1`,
    [id],
  )
  return rows[0] ?? null
}

export async function selectOrderOfCode(db: Queryable, id: number): Promise<string | null> {
  const { rows } = await db.query<{ orderId: string | null }>('select order_id as "orderId" from checker_codes where id = $1', [id])
  return rows[0]?.orderId ?? null
}

/**
 * Marks a sold code as faulty and gives its order another of the kind. Null when none is left; then roll the transaction back. Lock the order first.
 */
export async function replaceCode(
  tx: Tx,
  id: number,
  { reason, by, now }: { reason: string; by: string; now: Date },
): Promise<{ id: number; costPesewas: number } | null> {
  await tx.query('update checker_codes set voided_at = $2, voided_by = $3, void_reason = $4 where id = $1', [id, now, by, reason])
  const { rows } = await tx.query<{ id: number; costPesewas: number }>(
    `with free as (
       select c.id from checker_codes c join checker_codes old on old.id = $1 and old.kind = c.kind
       where ${STOCK} order by c.id limit 1 for update of c skip locked
     )
     update checker_codes given set order_id = old.order_id, sold_at = $2, replaces_id = old.id,
       n = (select max(n) + 1 from checker_codes where order_id = old.order_id)
     from free, checker_codes old where given.id = free.id and old.id = $1
     returning given.id, given.unit_cost_pesewas as "costPesewas"`,
    [id, now],
  )
  return rows[0] ?? null
}

/** Adds the message with a code, which is filled in as it is sent. Null when it was asked for at the same moment already. */
export async function insertCodeMessage(
  tx: Tx,
  message: { codeId: number; receiver: string; body: string; askedAt: Date; now: Date },
): Promise<string | null> {
  const { rows } = await tx.query<{ id: string }>(
    `insert into sms_messages (kind, receiver, body, created_at, updated_at, checker_code_id, asked_at)
     values ('checker', $1, $2, $3, $3, $4, $5) on conflict do nothing returning id`,
    [message.receiver, message.body, message.now, message.codeId, message.askedAt],
  )
  return rows[0]?.id ?? null
}

/** When the codes of an order were last put into messages, and in how many rounds. */
export async function selectSendings(db: Queryable, orderId: string): Promise<{ lastAt: Date | null; times: number }> {
  const { rows } = await db.query<{ lastAt: Date | null; times: number }>(
    `select max(m.asked_at) as "lastAt", count(distinct m.asked_at)::integer as times
     from sms_messages m join checker_codes c on c.id = m.checker_code_id where c.order_id = $1`,
    [orderId],
  )
  return rows[0] as { lastAt: Date | null; times: number }
}

export type LowKind = { kind: string; name: string; left: number; toldAt: Date | null; isLow: boolean }

/** Kinds that packages are sold from, and whether fewer are left than the owner wants to be told of. */
export async function selectLevels(db: Queryable): Promise<LowKind[]> {
  const { rows } = await db.query<LowKind>(
    `select k.kind, k.name, stock.codes as left, k.told_at as "toldAt", stock.codes < k.low_stock as "isLow"
     from checker_kinds k cross join lateral (
       select count(*)::integer as codes from (select from checker_codes c where c.kind = k.kind and ${STOCK} limit k.low_stock + 1) counted
     ) stock
     where exists (select from checker_packages m join packages p on p.product_id = m.product_id and p.offer = m.offer and not p.hidden
       where m.kind = k.kind)
     order by k.name`,
  )
  return rows
}

/** Notes that the owner is told, or that there are enough again. False when another process did. */
export async function markTold(tx: Tx, kind: string, now: Date | null): Promise<boolean> {
  const { rowCount } = await tx.query(
    'update checker_kinds set told_at = $2 where kind = $1 and (told_at is null) = ($2::timestamptz is not null)',
    [kind, now],
  )
  return rowCount === 1
}

/** Codes for another look at the key that they are sealed under, after the last one that was looked at. */
export async function selectSealed(db: Queryable, after: number, limit: number): Promise<{ id: number; sealed: Buffer }[]> {
  const { rows } = await db.query<{ id: number; sealed: Buffer }>(
    'select id, sealed from checker_codes where id > $1 and taken_back_at is null order by id limit $2',
    [after, limit],
  )
  return rows
}

export async function updateSealed(tx: Tx, codes: readonly { id: number; sealed: Buffer }[]) {
  await tx.query(
    `update checker_codes c set sealed = new.sealed from unnest($1::bigint[], $2::bytea[]) as new (id, sealed) where c.id = new.id`,
    [codes.map(({ id }) => id), codes.map(({ sealed }) => sealed)],
  )
}

export async function updateSealedKey(tx: Tx, sealed: Buffer) {
  await tx.query('update checker_vault set sealed_key = $1', [sealed])
}
