/** Stands in the place of d3-geo, which Observable Plot brings along for maps: nothing here draws one, and it is a tenth of the page. */
function noMap(): never {
  throw new Error('maps are not drawn here');
}

/** Plot prepares one of these as it loads, and uses it for maps only. */
export function geoTransform<Methods>(methods: Methods): Methods {
  return methods;
}

export {
  noMap as geoAlbers,
  noMap as geoAlbersUsa,
  noMap as geoAzimuthalEqualArea,
  noMap as geoAzimuthalEquidistant,
  noMap as geoCentroid,
  noMap as geoClipRectangle,
  noMap as geoConicConformal,
  noMap as geoConicEqualArea,
  noMap as geoConicEquidistant,
  noMap as geoEqualEarth,
  noMap as geoEquirectangular,
  noMap as geoGnomonic,
  noMap as geoGraticule,
  noMap as geoGraticule10,
  noMap as geoMercator,
  noMap as geoOrthographic,
  noMap as geoPath,
  noMap as geoStereographic,
  noMap as geoStream,
  noMap as geoTransverseMercator,
};
