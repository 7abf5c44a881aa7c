/**
 * Limits every query to the facility of the current work (decision 048): it adds a condition to each table that belongs
 * to facilities wherever a query names it, and the facility to each row that a query inserts.
 */

import {
  AliasNode,
  AndNode,
  BinaryOperationNode,
  ColumnNode,
  type DeleteQueryNode,
  ExpressionWrapper,
  IdentifierNode,
  type InsertQueryNode,
  JoinNode,
  type KyselyPlugin,
  type OperationNode,
  OperationNodeTransformer,
  OperatorNode,
  ParensNode,
  type PluginTransformQueryArgs,
  type PluginTransformResultArgs,
  PrimitiveValueListNode,
  type QueryId,
  type QueryResult,
  RawNode,
  ReferenceNode,
  type RootOperationNode,
  type SelectQueryNode,
  TableNode,
  type UnknownRow,
  type UpdateQueryNode,
  ValueListNode,
  ValueNode,
  ValuesNode,
  WhereNode,
} from 'kysely';
import { ALL_FACILITIES, FacilityScopeError, facilityOrNull } from '../facility.ts';
import type { Dialect } from './dialect.ts';
import { isGuardian, isGuardianAt } from './guardians/conditions.ts';
import type { Database } from './schema.ts';

/** Tables with a column `facility_id` whose rows belong to exactly one facility. */
const OWNED = [
  'rooms',
  'room_moves',
  'room_staff',
  'head_counts',
  'cameras',
  'sensors',
  'home_assistant_accounts',
  'kiosks',
  'kiosk_requests',
  'desk_entries',
  'stays',
  'incidents',
  'pending_conditions',
  'visitors',
  'sightings',
  'approvals',
  'booking_patterns',
  'booking_exceptions',
  'absences',
  'booking_arrivals',
  'care_entries',
] as const satisfies readonly (keyof Database)[];

/** The condition that makes a person known at a facility, by the person's id. */
type KnownAt = (id: OperationNode, facility: string, dialect: Dialect) => OperationNode;

const KNOWN: Readonly<Partial<Record<keyof Database, KnownAt>>> = {
  children: (id, facility) =>
    raw`exists (select 1 from child_facilities as scope_cf where scope_cf.child_id = ${id} and scope_cf.facility_id = ${facility})`,
  // A family without a child belongs to no facility yet, so any desk may add its first child.
  parents: (id, facility, dialect) =>
    raw`(${isGuardianAt(expressionOf(id), facility).toOperationNode()} or not ${hasChild(id, dialect)})`,
  staff: (id, facility) =>
    raw`exists (select 1 from memberships as scope_m where scope_m.staff_id = ${id}
      and scope_m.facility_id in (${facility}, ${ALL_FACILITIES}))`,
};

/** Whether a parent is a guardian of a child at any facility. PostgreSQL's policies hide those of others from a subquery. */
function hasChild(id: OperationNode, dialect: Dialect): OperationNode {
  return dialect === 'postgres'
    ? raw`haris_has_child(${id})`
    : isGuardian(expressionOf(id)).toOperationNode();
}

const expressionOf = (id: OperationNode) => new ExpressionWrapper<Database, never, string>(id);

const owned: ReadonlySet<string> = new Set(OWNED);

/** Whether rows of a table belong to facilities, so that a query on it is limited. */
function isOfFacility(table: string): boolean {
  return owned.has(table) || Object.hasOwn(KNOWN, table);
}

function raw(parts: TemplateStringsArray, ...values: readonly (OperationNode | string)[]): OperationNode {
  return RawNode.create(
    [...parts],
    values.map((value) => (typeof value === 'string' ? ValueNode.create(value) : value)),
  );
}

function and(left: OperationNode | undefined, right: OperationNode): OperationNode {
  return left ? AndNode.create(ParensNode.create(left), right) : right;
}

/** A table in a query, and the name by which the query refers to it. */
interface Named {
  readonly table: string;
  readonly name: string;
}

function namedTable(node: OperationNode): Named | undefined {
  if (TableNode.is(node)) return { table: node.table.identifier.name, name: node.table.identifier.name };
  if (AliasNode.is(node) && TableNode.is(node.node) && IdentifierNode.is(node.alias))
    return { table: node.node.table.identifier.name, name: node.alias.name };
  return undefined;
}

/** Throws {@link FacilityScopeError} for a table of facilities in a request whose sender is not known yet. */
function conditionOf(node: OperationNode, dialect: Dialect): OperationNode | undefined {
  const named = namedTable(node);
  if (!named || !isOfFacility(named.table)) return undefined;
  const facility = facilityOrNull();
  if (facility === null) return undefined;
  const column = (name: string) =>
    ReferenceNode.create(ColumnNode.create(name), TableNode.create(named.name));
  const known = KNOWN[named.table as keyof Database];
  if (known) return known(column('id'), facility, dialect);
  return BinaryOperationNode.create(
    column('facility_id'),
    OperatorNode.create('='),
    ValueNode.create(facility),
  );
}

type Where = { readonly where?: WhereNode };

function limited<N extends Where>(node: N, tables: readonly OperationNode[], dialect: Dialect): N {
  let { where } = node;
  for (const table of tables) {
    const condition = conditionOf(table, dialect);
    if (condition) where = WhereNode.create(and(where?.where, condition));
  }
  return where === node.where ? node : { ...node, where };
}

class FacilityTransformer extends OperationNodeTransformer {
  readonly #dialect: Dialect;

  constructor(dialect: Dialect) {
    super();
    this.#dialect = dialect;
  }

  protected override transformSelectQuery(node: SelectQueryNode, id?: QueryId): SelectQueryNode {
    return limited(super.transformSelectQuery(node, id), node.from?.froms ?? [], this.#dialect);
  }

  protected override transformUpdateQuery(node: UpdateQueryNode, id?: QueryId): UpdateQueryNode {
    const tables = [...(node.table ? [node.table] : []), ...(node.from?.froms ?? [])];
    return limited(super.transformUpdateQuery(node, id), tables, this.#dialect);
  }

  protected override transformDeleteQuery(node: DeleteQueryNode, id?: QueryId): DeleteQueryNode {
    const tables = [...node.from.froms, ...(node.using?.tables ?? [])];
    return limited(super.transformDeleteQuery(node, id), tables, this.#dialect);
  }

  /** A condition of a join, not of the query: a row of another facility is as if it were not there. */
  protected override transformJoin(node: JoinNode, id?: QueryId): JoinNode {
    const condition = conditionOf(node.table, this.#dialect);
    const join = super.transformJoin(node, id);
    if (!condition) return join;
    if (!join.on) throw new FacilityScopeError('a join with a table of facilities needs a condition');
    return JoinNode.createWithOn(join.joinType, join.table, and(join.on.on, condition));
  }

  protected override transformInsertQuery(node: InsertQueryNode, id?: QueryId): InsertQueryNode {
    const insert = super.transformInsertQuery(node, id);
    const table = insert.into && namedTable(insert.into)?.table;
    if (table === undefined || !owned.has(table)) return insert;
    if (insert.columns?.some(({ column }) => column.name === 'facility_id')) return insert;
    const facility = facilityOrNull();
    if (facility === null || !insert.values || !ValuesNode.is(insert.values))
      throw new FacilityScopeError(`a row of ${table} needs a facility`);
    const values = insert.values.values.map((row) =>
      row.kind === 'PrimitiveValueListNode'
        ? PrimitiveValueListNode.create([...row.values, facility])
        : ValueListNode.create([...row.values, ValueNode.create(facility)]),
    );
    return {
      ...insert,
      columns: [...(insert.columns ?? []), ColumnNode.create('facility_id')],
      values: ValuesNode.create(values),
    };
  }
}

/** The plugin that every connection of the server has. */
export class FacilityPlugin implements KyselyPlugin {
  readonly #transformer: FacilityTransformer;

  constructor(dialect: Dialect) {
    this.#transformer = new FacilityTransformer(dialect);
  }

  transformQuery({ node, queryId }: PluginTransformQueryArgs): RootOperationNode {
    return this.#transformer.transformNode(node, queryId);
  }

  transformResult({ result }: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> {
    return Promise.resolve(result);
  }
}
