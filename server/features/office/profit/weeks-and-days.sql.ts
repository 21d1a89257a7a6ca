/**
 * Whole weeks from $1 to $2 whose `totals` were added up, as `weeks`, and the days of the others, as `rest`; both have a column `day`. To be put behind
 * "with".
 */
export function listWeeksAndDays(totals: 'agents' | 'packages'): string {
  return `days as (select day::date from generate_series($1::date::timestamp, $2::date, '1 day') day),
    weeks as (
      select day from days
      where extract(isodow from day) = 1 and day + 6 <= $2::date
        and not exists (select from stale_days s where s.totals = '${totals}' and s.day = days.day)
    ),
    rest as (select day from days where date_trunc('week', day::timestamp)::date not in (select day from weeks))`
}
