import { type Guard, guard, wrapFunction } from './guard.ts'

/** W. Checkers from the stock. */
export const checkersGuards: Guard[] = [
  guard('W1', 3, 'that the codes are looked for, and locked, before anything is charged', {
    fromDatabase: (db) => wrapFunction(db, 'short_of_checkers', () => 'begin return null; end'),
  }),
  guard('W2', 2, 'that a purchase attempt is known by its key', {
    fromDatabase: async (db) => {
      await db.query(`create function forget_key() returns trigger language plpgsql as $$ begin return null; end $$;
        create trigger forget_key before insert on idempotency_keys for each row execute function forget_key()`)
    },
  }),
  guard('W3', 2, 'that a purchase hands the codes over itself', {
    fromDatabase: (db) => wrapFunction(db, 'sell_checkers', () => 'begin return 0; end'),
  }),
]
