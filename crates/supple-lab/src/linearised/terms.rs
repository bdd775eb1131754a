//! Which terms of Damaren and Sharf's equations a model keeps.

/// Terms that a model keeps, by the groups of the paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terms {
    /// `δM`: the mass of the deformed body                                             [DS95 (11) to (15)]
    pub deformed_mass: bool,
    /// First and second moments in the forces of inertia, `c` and `J` of                [DS95 (5)].
    pub moments: Moments,
    /// `δf_I` and `τ̂`: forces with elastic rates and of the deformed body on the modes  [DS95 (8), (10)]
    pub hybrid_forces: bool,
    /// The elastic force                                                               [DS95 (18) to (20)]
    pub elastic: ElasticForce,
    /// What the tip of a link does to the next one                                     [DS95 2.4]
    pub tip: Tip,
    /// `Ṡ q̇_e`: elastic rates in the acceleration across a joint                        [DS95 (28)]
    pub elastic_rates_across_joints: bool,
}

/// Of which body the moments are, in forces that the motion of the frame asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moments {
    /// Of the undeformed body: (5) as it is printed.
    Undeformed,
    /// Of the deformed body, in `ω × (ω × c)` and `ω × J ω`.
    Deformed,
    /// Of the deformed body, in all of (5): `c × (ω × v)` as well.
    DeformedThroughout,
}

/// Terms of the elastic force.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ElasticForce {
    /// `K_0 q`.
    Linear,
    /// With the stiffness of the axial load.
    AxialLoad,
    /// With `K_1` alone: the energy up to third order.
    ThirdOrder,
    /// With `K_1` and `K_2`.
    Exact,
}

/// Kinematics of the tip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tip {
    /// (a): neither displaced nor turned.
    None,
    /// (b): displaced, and turned by `1 - θ×`.
    FirstOrder,
}

impl Terms {
    /// RL, as Table 3 needs it: no term with elastic coordinates or rates but those of the linear body.
    pub const RUTHLESS: Self = Self {
        deformed_mass: false,
        moments: Moments::Undeformed,
        hybrid_forces: false,
        elastic: ElasticForce::Linear,
        tip: Tip::None,
        elastic_rates_across_joints: false,
    };

    /// RL with `Ṡ q̇_e` of (28) kept.
    pub const RUTHLESS_WITH_RATES: Self = Self { elastic_rates_across_joints: true, ..Self::RUTHLESS };

    /// CL, with the moments of the deformed body in its forces.
    pub const CONSISTENT: Self = Self {
        deformed_mass: false,
        moments: Moments::Deformed,
        hybrid_forces: true,
        elastic: ElasticForce::AxialLoad,
        tip: Tip::FirstOrder,
        elastic_rates_across_joints: true,
    };

    /// CL with (5) as it is printed.
    pub const CONSISTENT_AS_PRINTED: Self = Self { moments: Moments::Undeformed, ..Self::CONSISTENT };

    /// CL with the mass of the deformed body                                           [DS95 4.1]
    pub const CONSISTENT_WITH_MASS: Self = Self { deformed_mass: true, moments: Moments::Deformed, ..Self::CONSISTENT };

    /// I(1): all inertial terms, linear elasticity.
    pub const INCONSISTENT: Self = Self { elastic: ElasticForce::Linear, ..Self::CONSISTENT_WITH_MASS };

    /// EE(1): all terms.
    pub const EXACT: Self = Self { elastic: ElasticForce::Exact, ..Self::CONSISTENT_WITH_MASS };
}
