/**
 * Operations, and members of their arguments, that were renamed while the API had no outside users. Stored proposals
 * contain the old names: they are shown and executed under the new ones.
 */
const RENAMED: Readonly<Record<string, string>> = {
  addressChange: 'addressUpdate',
  addressRemove: 'addressDelete',
  addressSave: 'addressCreate',
  allianceFound: 'allianceCreate',
  allianceGrant: 'allianceGrantCreate',
  approvalSettingsSet: 'approvalSettingsUpdate',
  approvePendingWrite: 'proposalApprove',
  businessModuleSwitch: 'businessModuleSet',
  clientBuildRouteCommit: 'routePlanCommit',
  clientBuildRouteDiscard: 'routePlanDiscard',
  clientBuildRouteReplay: 'routePlanReplay',
  clientOrdersBulk: 'ordersBatch',
  contractorRulesSet: 'brokerRulesSet',
  datasetArchive: 'datasetDelete',
  datasetChange: 'datasetUpdate',
  datasetGroupAdd: 'datasetGroupCreate',
  datasetGroupRemove: 'datasetGroupDelete',
  datasetGroupRename: 'datasetGroupUpdate',
  dispatchSettingsSet: 'dispatchSettingsUpdate',
  driverInfoSet: 'driverInfoUpdate',
  driverOwnInfoSet: 'meDriverInfoUpdate',
  fleetChange: 'fleetUpdate',
  fleetDissolve: 'fleetDelete',
  fleetMembersSet: 'fleetDriversSet',
  instantCancel: 'instantDeliveryCancel',
  instantRequest: 'instantDeliveryRequest',
  locationBlock: 'locationUpdate',
  locationsPut: 'locationsBatch',
  mapArchive: 'mapDelete',
  mapChange: 'mapUpdate',
  orderDeliveryInstruction: 'orderUpdate',
  orderNote: 'orderUpdate',
  orderPlanning: 'orderUpdate',
  orderPosition: 'orderPositionSet',
  orderReschedule: 'orderUpdate',
  orderSettingsSet: 'orderSettingsUpdate',
  orderWarehouse: 'orderUpdate',
  planningSettingsSet: 'planningSettingsUpdate',
  poiArchive: 'poiDelete',
  poiChange: 'poiUpdate',
  proposeWrite: 'proposalCreate',
  recordPut: 'recordSet',
  recordRemove: 'recordDelete',
  recordsPut: 'recordsBatch',
  rejectPendingWrite: 'proposalReject',
  riderGrant: 'riderGrantSet',
  routeAssignDriver: 'routeDriverSet',
  routePins: 'routePinsUpdate',
  routeSequence: 'routeSequenceSet',
  shiftChange: 'shiftUpdate',
  shiftPlan: 'shiftsBatch',
  skillDefine: 'skillSet',
  skillRetire: 'skillDelete',
  userChange: 'userUpdate',
  warehouseChange: 'warehouseUpdate',
  warehouseClose: 'warehouseDelete',
  warehouseOpen: 'warehouseCreate',
};

/** The name that an operation has now. */
export const currentName = (operation: string): string => RENAMED[operation] ?? operation;

/**
 * By the current name of an operation: the old path of a member, and its name now. `a.b` is a member of the object `a`,
 * `a[].b` one of each object in the list `a`; the paths contain old names alone.
 */
export const RENAMED_MEMBERS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  allianceGrantCreate: { to_business: 'to_business_id', until: 'expires_at' },
};

/** The arguments of an operation under the names that they have now. `operation`: its current name. */
export function currentArguments<T extends Readonly<Record<string, unknown>>>(
  operation: string,
  given: T,
  renamed = RENAMED_MEMBERS,
): T {
  const names = renamed[operation];
  return names ? (renamedIn(given, '', names) as T) : given;
}

function renamedIn(value: unknown, path: string, names: Readonly<Record<string, string>>): unknown {
  if (Array.isArray(value)) return value.map((one) => renamedIn(one, `${path}[]`, names));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([member, inner]) => {
      const own = path === '' ? member : `${path}.${member}`;
      return [names[own] ?? member, renamedIn(inner, own, names)];
    }),
  );
}
