/**
 * The terms of EPCIS 2.0 and CBV 2.0 that this service knows: namespaces, and the closed lists of the ratified JSON
 * Schema.
 */

/** Context version that the written documents name. EPCIS 2.0.1 changed the PDF, not the context. */
export const EPCIS_CONTEXT = 'https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld';
export const CBV = 'https://ref.gs1.org/cbv/';
export const GS1 = 'https://gs1.org/voc/';

/**
 * The OTEP extension. Its namespace is a fixed URN, never the server's address, so a document is the same on every
 * server.
 */
export const OTEP_PREFIX = 'otep';
export const OTEP_NAMESPACE = 'urn:otep:epcis:';

/** Prefixes that the GS1 context declares. They are protected: a document cannot redefine them. */
export const GS1_PREFIXES: ReadonlyMap<string, string> = new Map([
  ['epcis', 'https://ref.gs1.org/epcis/'],
  ['cbv', CBV],
  ['cbvmda', 'urn:epcglobal:cbv:mda:'],
  ['gs1', GS1],
  ['rdfs', 'http://www.w3.org/2000/01/rdf-schema#'],
  ['owl', 'http://www.w3.org/2002/07/owl#'],
  ['xsd', 'http://www.w3.org/2001/XMLSchema#'],
  ['dcterms', 'http://purl.org/dc/terms/'],
]);

const words = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/));

export const ACTIONS = words('OBSERVE ADD DELETE');

export const BIZ_STEPS = words(`
  accepting arriving assembling collecting commissioning consigning creating_class_instance cycle_counting decommissioning departing
  destroying disassembling dispensing encoding entering_exiting holding inspecting installing killing loading other packing picking
  receiving removing repackaging repairing replacing reserving retail_selling sampling sensor_reporting shipping staging_outbound
  stock_taking stocking storing transporting unloading unpacking void_shipping`);

export const DISPOSITIONS = words(`
  active available completeness_inferred completeness_verified conformant container_closed container_open damaged destroyed dispensed
  disposed encoded expired in_progress in_transit inactive mismatch_class mismatch_instance mismatch_quantity needs_replacement
  no_pedigree_match non_conformant non_sellable_other partially_dispensed recalled reserved retail_sold returned sellable_accessible
  sellable_not_accessible stolen unavailable unknown`);

export const ERROR_REASONS = words('did_not_occur incorrect_data');
export const PARTY_TYPES = words('owning_party possessing_party location');
export const TRANSACTION_TYPES = words(
  'bol cert desadv inv pedigree po poc prodorder recadv rma testprd testres upevt',
);
export const SENSOR_EXCEPTIONS = words('ALARM_CONDITION ERROR_CONDITION');

export const SENSOR_COMPONENTS = words(`
  x y z axial_distance azimuth height spherical_radius polar_angle elevation_angle easting northing latitude longitude altitude`);

export const MEASUREMENTS = words(`
  AbsoluteHumidity AbsorbedDose AbsorbedDoseRate Acceleration Altitude AmountOfSubstance AmountOfSubstancePerUnitVolume Angle
  AngularAcceleration AngularMomentum AngularVelocity Area Capacitance Conductance Conductivity Count Density Dimensionless
  DoseEquivalent DoseEquivalentRate DynamicViscosity ElectricCharge ElectricCurrent ElectricCurrentDensity ElectricFieldStrength
  Energy Exposure Force Frequency Illuminance Inductance Irradiance KinematicViscosity Length LinearMomentum Luminance LuminousFlux
  LuminousIntensity MagneticFlux MagneticFluxDensity MagneticVectorPotential Mass MassConcentration MassFlowRate MassPerAreaTime
  MemoryCapacity MolalityOfSolute MolarEnergy MolarMass MolarVolume Power Pressure RadiantFlux RadiantIntensity Radioactivity
  RelativeHumidity Resistance Resistivity SolidAngle SpecificVolume Speed SurfaceDensity SurfaceTension Temperature Time Torque
  Voltage Volume VolumeFlowRate VolumeFraction VolumetricFlux Wavenumber`);
